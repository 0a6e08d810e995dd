package org.rackweave.telemetry;

/**
 * The blocks that this NameNode has ordered onto one DataNode and that are still on their way,
 * oldest first. A DataNode's counters do not tell them from other traffic, but they are known here:
 * how many there are shares the link's room, and their bytes are no load that will stay.
 *
 * <p><b>Algorithm.</b> How many of the bytes received can be of blocks is counted by the agent or
 * bounded by what others loaded before ({@link NodeEstimate}). HDFS tells how many blocks are under
 * way to a DataNode, not which; those that are not any more are taken to be the oldest. These bytes
 * are put down to blocks that have arrived since the last one, then to those under way, oldest
 * first, and only the rest to others.
 *
 * <p>Not thread-safe; soft state, at most {@value #MOST} blocks of 10 bytes each.
 */
final class OwnTransfers {

  /** More than any DataNode receives at a time; with more the oldest count as arrived. */
  static final int MOST = 256;

  private static final byte LOCAL = 0;
  private static final byte OVER_LINK = 1;
  private static final byte ACROSS_RACKS = 2;

  private long[] leftBytes = new long[8];
  private byte[] way = new byte[8];
  private int oldest;
  private int size;
  private int sinceSettled;
  private int overLink;
  private int acrossRacks;
  private long arrivedBytes;

  /** Adds a block that its writer puts on the DataNode it runs on, which loads no link. */
  void orderLocally() {
    add(0, LOCAL);
  }

  /** Adds a block that comes over the DataNode's link, and perhaps over its rack's. */
  void order(long sizeBytes, boolean crossesRackLink) {
    add(sizeBytes, crossesRackLink ? ACROSS_RACKS : OVER_LINK);
  }

  private void add(long sizeBytes, byte over) {
    if (size == MOST) {
      arrive();
    }
    if (size == way.length) {
      grow();
    }
    int place = (oldest + size++) % way.length;
    leftBytes[place] = sizeBytes;
    way[place] = over;
    sinceSettled++;
    count(over, 1);
  }

  private void grow() {
    long[] bytes = new long[2 * size];
    byte[] ways = new byte[2 * size];
    for (int i = 0; i < size; i++) {
      bytes[i] = leftBytes[(oldest + i) % size];
      ways[i] = way[(oldest + i) % size];
    }
    leftBytes = bytes;
    way = ways;
    oldest = 0;
  }

  private void count(byte over, int change) {
    overLink += over == LOCAL ? 0 : change;
    acrossRacks += over == ACROSS_RACKS ? change : 0;
  }

  private void arrive() {
    arrivedBytes += leftBytes[oldest];
    count(way[oldest], -1);
    oldest = (oldest + 1) % way.length;
    size--;
  }

  /**
   * Takes the oldest for arrived until no more are left than are under way. Blocks ordered since
   * the last call stay: HDFS may not have counted them yet.
   */
  void settle(int underWay) {
    int left = Math.max(underWay, sinceSettled);
    while (size > left) {
      arrive();
    }
    sinceSettled = 0;
  }

  /**
   * Says how many of {@code receivedBytes}, which a measurement has counted since the last one and
   * which may have been of these blocks, were.
   */
  long attribute(long receivedBytes) {
    long own = Math.min(arrivedBytes, receivedBytes);
    // What an arrived block has not brought by now it did not have: it was shorter than ordered.
    arrivedBytes = 0;
    for (int i = 0; i < size && own < receivedBytes; i++) {
      int place = (oldest + i) % way.length;
      long bytes = Math.min(leftBytes[place], receivedBytes - own);
      leftBytes[place] -= bytes;
      own += bytes;
    }
    return own;
  }

  /** Blocks under way over the DataNode's link. */
  int overLink() {
    return overLink;
  }

  /** Blocks under way over the DataNode's link and its rack's. */
  int acrossRacks() {
    return acrossRacks;
  }
}
