package org.rackweave.eafr;

import java.util.random.RandomGenerator;
import org.rackweave.model.ClusterTopology;

/**
 * The order in which a reader tries a block's replicas.
 *
 * <p><b>Goals.</b> A server that has a place free, the nearest of these, and of those the one with
 * the shortest queue; no slower than sorting by distance.
 *
 * <p><b>Algorithm.</b> As the paper has it (Algorithm 3): the reader's own server, then those in
 * its rack, then those elsewhere, each by queue; cold servers last. Equal queues go by distance,
 * then at random. <b>Ours</b> ({@link #byLoad}) asks first how loaded a server is: all that would
 * have less than tau_c of their places taken are equal; then come those with less than twice as
 * many reads as places, less than four times as many, and so on. The reader's own server comes
 * first whatever its load. So readers leave a rack whose servers are overloaded for one where
 * others are not, and keep to it where all are. Example: queues are 3 and 1 of ten places in the
 * reader's rack and 0 elsewhere; the order is 1, 3, 0. With 9 in place of the 1 it is 3, 0, 9.
 *
 * <p>One long for each replica holds all of this, so that an insertion sort compares longs.
 * Allocates one long for each replica, and looks at two words of it: in a cluster of thousands each
 * is a miss of the processor's cache. Immutable but for the queues it looks at, safe for use by
 * many threads.
 */
public final class ReadOrder {
  private static final int LEVEL_BITS = 7;
  private static final int PLACE_BITS = 2;
  private static final int QUEUE_BITS = 25;
  private static final int DISTANCE_BITS = 8;
  private static final int TIE_BITS = 20;

  /** Of a read: queues differ by less than one, since what is served goes bit by bit. */
  private static final int PARTS = 16;

  /** Between two racks that are joined by one core. */
  private static final int FLAT_HOPS = 2;

  private static final int OWN = 0;
  private static final int SAME_RACK = 1;
  private static final int ELSEWHERE = 2;

  private static final int LEVEL_MOST = (1 << LEVEL_BITS) - 1;

  /** The paper's tau_c. */
  private static final float OVERLOADED = 0.8f;

  private final ClusterTopology topology;
  private final ReadQueues queues;

  /** Of each server its rack, and the complement of that while it is asleep or dead. */
  private final int[] racks;

  /** Of each server its places; {@code null} where loads are not looked at. */
  private final float[] places;

  /** Whether what is not in the reader's rack is equally far, so that nobody has to ask how far. */
  private final boolean isFlat;

  private ReadOrder(Servers servers, ReadQueues queues, boolean byLoad) {
    topology = servers.topology();
    this.queues = queues;
    isFlat = topology.isFlat();
    racks = new int[topology.nodeCount()];
    places = byLoad ? new float[racks.length] : null;
    for (int node = 0; node < racks.length; node++) {
      int rack = topology.rackOf(node);
      racks[node] = servers.isAwake(node) ? rack : ~rack;
      if (byLoad) {
        places[node] = servers.capacity(node);
      }
    }
  }

  /**
   * Near servers that are not overloaded first.
   *
   * @param servers for roles, failures and capacities; its own reads are not looked at
   */
  public static ReadOrder byLoad(Servers servers, ReadQueues queues) {
    return new ReadOrder(servers, queues, true);
  }

  /** By Algorithm 3 to the letter: near servers first, however loaded. */
  public static ReadOrder byDistance(Servers servers, ReadQueues queues) {
    return new ReadOrder(servers, queues, false);
  }

  /**
   * Orders replicas in place.
   *
   * @param nodes servers with a replica
   * @param count how many of them are to be ordered; those behind stay where they are
   * @param reader node that reads, {@link ClusterTopology#NONE} when it is no DataNode
   * @param readerRack its rack, {@code NONE} when unknown
   * @param nowMs monotonic time, as in {@link ReadQueues}
   */
  public void arrange(
      int[] nodes, int count, int reader, int readerRack, long nowMs, RandomGenerator random) {
    long[] keys = new long[count];
    for (int i = 0; i < count; i++) {
      int node = nodes[i];
      long key = key(node, reader, readerRack, nowMs, random);
      int at = i;
      for (; at > 0 && keys[at - 1] > key; at--) {
        keys[at] = keys[at - 1];
        nodes[at] = nodes[at - 1];
      }
      keys[at] = key;
      nodes[at] = node;
    }
  }

  private long key(int node, int reader, int readerRack, long nowMs, RandomGenerator random) {
    int known = racks[node];
    boolean isAsleep = known < 0;
    int rack = isAsleep ? ~known : known;
    boolean isByPlace = places == null || node == reader; // its own disk is on no link
    long level = (isAsleep ? 1 << LEVEL_BITS : 0) + (isByPlace ? 0 : level(node, nowMs));
    long place = isAsleep ? ELSEWHERE : node == reader ? OWN : placeOf(rack, readerRack);
    long queue = (long) Math.min(PARTS * queues.of(node, nowMs), (1 << QUEUE_BITS) - 1);
    long distance = Math.min(hops(rack, readerRack), (1 << DISTANCE_BITS) - 1);
    long first = level << PLACE_BITS | place;
    return ((first << QUEUE_BITS | queue) << DISTANCE_BITS | distance) << TIE_BITS
        | random.nextInt() >>> (Integer.SIZE - TIE_BITS);
  }

  private long level(int node, long nowMs) {
    float load = (queues.reportedOf(node, nowMs) + 1) / places[node];
    return load <= OVERLOADED ? 0 : Math.min(LEVEL_MOST, 1 + Math.max(0, Math.getExponent(load)));
  }

  private static int placeOf(int rack, int readerRack) {
    return rack == readerRack ? SAME_RACK : ELSEWHERE;
  }

  /** Looks nothing up where it cannot differ between those of equal place but for sleepers. */
  private int hops(int rack, int readerRack) {
    if (rack == readerRack || readerRack == ClusterTopology.NONE) {
      return 0;
    }
    return isFlat ? FLAT_HOPS : topology.rackDistance(rack, readerRack);
  }
}
