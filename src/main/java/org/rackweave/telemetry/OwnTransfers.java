package org.rackweave.telemetry;

/**
 * The blocks that this NameNode has ordered onto one DataNode and that are still on their way,
 * oldest first. They are known here as soon as they are ordered, seconds before a report shows
 * them, and how many there are shares what others leave of the link.
 *
 * <p>HDFS tells how many blocks are under way to a DataNode, not which; those that are not any more
 * are taken to be the oldest.
 *
 * <p>Not thread-safe; soft state, at most {@value #MOST} blocks of a byte each.
 */
final class OwnTransfers {

  /** More than any DataNode receives at a time; with more the oldest count as arrived. */
  static final int MOST = 256;

  private static final byte LOCAL = 0;
  private static final byte OVER_LINK = 1;
  private static final byte ACROSS_RACKS = 2;

  private byte[] way = new byte[8];
  private int oldest;
  private int size;
  private int sinceSettled;
  private int overLink;
  private int acrossRacks;

  /** Adds a block that its writer puts on the DataNode it runs on, which loads no link. */
  void orderLocally() {
    add(LOCAL);
  }

  /** Adds a block that comes over the DataNode's link, and perhaps over its rack's. */
  void order(boolean crossesRackLink) {
    add(crossesRackLink ? ACROSS_RACKS : OVER_LINK);
  }

  private void add(byte over) {
    if (size == MOST) {
      arrive();
    }
    if (size == way.length) {
      grow();
    }
    way[(oldest + size++) % way.length] = over;
    sinceSettled++;
    count(over, 1);
  }

  private void grow() {
    byte[] ways = new byte[2 * size];
    for (int i = 0; i < size; i++) {
      ways[i] = way[(oldest + i) % size];
    }
    way = ways;
    oldest = 0;
  }

  private void count(byte over, int change) {
    overLink += over == LOCAL ? 0 : change;
    acrossRacks += over == ACROSS_RACKS ? change : 0;
  }

  private void arrive() {
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

  /** Blocks under way, those of writers on the DataNode itself included. */
  int size() {
    return size;
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
