package org.rackweave.hdfs.namenode;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.hadoop.net.NetworkTopology;

/**
 * Which {@link PlacementContext} belongs to which NameNode, found by the identity of the {@link
 * NetworkTopology} that HDFS hands to every placement policy it builds. HDFS builds policies
 * several times and without telling anyone (format, refresh, one for striped blocks), and one JVM
 * may hold several NameNodes; so a policy looks its context up instead of being given one.
 *
 * <p>Both sides are held weakly: a NameNode that is gone takes its entry with it.
 */
public final class PlacementContexts {
  private static final Map<NetworkTopology, WeakReference<PlacementContext>> CONTEXTS =
      new WeakHashMap<>();

  private PlacementContexts() {}

  /** Makes a context the one that policies of this topology find. */
  public static void register(NetworkTopology topology, PlacementContext context) {
    synchronized (CONTEXTS) {
      CONTEXTS.put(topology, new WeakReference<>(context));
    }
  }

  /** Forgets the context of a topology; its policies act as stock again. */
  public static void unregister(NetworkTopology topology) {
    synchronized (CONTEXTS) {
      CONTEXTS.remove(topology);
    }
  }

  /** The running context of a topology, or {@code null}. */
  public static PlacementContext find(NetworkTopology topology) {
    synchronized (CONTEXTS) {
      WeakReference<PlacementContext> context = CONTEXTS.get(topology);
      return context == null ? null : context.get();
    }
  }
}
