package org.rackweave.eafr;

import java.util.random.RandomGenerator;
import org.rackweave.model.ClusterTopology;

/**
 * The order in which a reader tries a block's replicas (Algorithm 3).
 *
 * <p><b>Goals.</b> The nearest of servers that are awake, and of those the one with the shortest
 * queue; no slower than sorting by distance.
 *
 * <p><b>Algorithm.</b> The reader's own server, then those in its rack, then those elsewhere, each
 * by queue; cold servers last. Equal queues go by distance, then at random. One long for each
 * replica holds all of this, so that an insertion sort compares longs. Example: queues are 3 and 1
 * in the reader's rack and 0 elsewhere; the order is 1, 3, 0.
 *
 * <p>Allocates one long for each replica, and looks at two words of it: in a cluster of thousands
 * each is a miss of the processor's cache. Immutable but for the queues it looks at, safe for use
 * by many threads.
 */
public final class ReadOrder {
  private static final int QUEUE_BITS = 24;
  private static final int DISTANCE_BITS = 8;
  private static final int TIE_BITS = 28;

  /** Between two racks that are joined by one core. */
  private static final int FLAT_HOPS = 2;

  private static final int OWN = 0;
  private static final int SAME_RACK = 1;
  private static final int ELSEWHERE = 2;
  private static final int ASLEEP = 3;

  private final ClusterTopology topology;
  private final ReadQueues queues;

  /** Of each server its rack, and the complement of that while it is asleep or dead. */
  private final int[] racks;

  /** Whether what is not in the reader's rack is equally far, so that nobody has to ask how far. */
  private final boolean isFlat;

  /**
   * @param servers for roles and failures; its own reads are not looked at
   */
  public ReadOrder(Servers servers, ReadQueues queues) {
    topology = servers.topology();
    this.queues = queues;
    isFlat = topology.isFlat();
    racks = new int[topology.nodeCount()];
    for (int node = 0; node < racks.length; node++) {
      int rack = topology.rackOf(node);
      racks[node] = servers.isAwake(node) ? rack : ~rack;
    }
  }

  /**
   * Orders replicas in place.
   *
   * @param nodes servers with a replica
   * @param count how many of them are to be ordered; those behind stay where they are
   * @param reader node that reads, {@link ClusterTopology#NONE} when it is no DataNode
   * @param readerRack its rack, {@code NONE} when unknown
   */
  public void arrange(int[] nodes, int count, int reader, int readerRack, RandomGenerator random) {
    long[] keys = new long[count];
    for (int i = 0; i < count; i++) {
      int node = nodes[i];
      long key = key(node, reader, readerRack, random);
      int at = i;
      for (; at > 0 && keys[at - 1] > key; at--) {
        keys[at] = keys[at - 1];
        nodes[at] = nodes[at - 1];
      }
      keys[at] = key;
      nodes[at] = node;
    }
  }

  private long key(int node, int reader, int readerRack, RandomGenerator random) {
    int known = racks[node];
    int rack = known < 0 ? ~known : known;
    long place = known < 0 ? ASLEEP : node == reader ? OWN : placeOf(rack, readerRack);
    long queue = Math.min(queues.of(node), (1 << QUEUE_BITS) - 1);
    long distance = Math.min(hops(rack, readerRack), (1 << DISTANCE_BITS) - 1);
    return ((place << QUEUE_BITS | queue) << DISTANCE_BITS | distance) << TIE_BITS
        | random.nextInt() >>> (Integer.SIZE - TIE_BITS);
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
