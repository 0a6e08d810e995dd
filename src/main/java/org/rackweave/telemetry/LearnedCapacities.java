package org.rackweave.telemetry;

import java.util.Arrays;
import java.util.Optional;
import org.rackweave.model.ClusterTopology;

/**
 * What the racks' links carry and disks write at most, learned from full ones, for clusters that do
 * not declare it. Only the ranking of destinations goes by it: where it is wrong, blocks go where
 * stock HDFS could have put them, and nothing is held back.
 *
 * <p>No counter tells that a rack's link is full, but TCP does: data get lost there. When most
 * hosts of a rack lose data in one direction, for some heartbeats on end, and not because their own
 * links are full, then what the rack's hosts carried together all that time is taken for a full
 * link's. It may be another rack's link that loses the data, which looks the same; so the most of
 * any rack counts for all, and more that a rack carried without losses. Hosts do not tell what
 * stays within their rack: a link is rather taken for wider than it is.
 *
 * <p>A disk's speed is the middle one of what DataNodes saw one of theirs write while it was busy.
 *
 * <p>All is forgotten after a day or two. Not thread-safe.
 */
public final class LearnedCapacities {
  /** A host whose own link is as full as that loses data there. */
  private static final double FULL = 0.8;

  /** Racks that carry less of what their hosts' links do together are not full: twenty to one. */
  private static final double LEAST_SHARE = 0.05;

  /** Heartbeats for which a rack has to be full. */
  private static final int HEARTBEATS = 2;

  private static final long DISKS_EVERY_MS = 10_000;

  /** What is declared and what is learned differ by more than this before anybody is told. */
  private static final double APART = 2.5;

  private volatile NetworkSettings declared;
  private final RecentMaximum full = new RecentMaximum();
  private final RecentMaximum carried = new RecentMaximum();

  private ClusterTopology topology;
  private Stretch[] stretches = {};
  private double diskBytesPerSec;
  private long disksAtMs = Long.MIN_VALUE;
  private String disagreement;

  /** What one rack carried in one direction for some heartbeats on end. */
  private static final class Stretch {
    long sinceMs;
    double least;
    boolean isKnown;
    boolean isFull;

    Stretch(long nowMs) {
      begin(nowMs);
    }

    void begin(long nowMs) {
      sinceMs = nowMs;
      least = Double.POSITIVE_INFINITY;
      isKnown = true;
      isFull = true;
    }
  }

  /**
   * @param declared by the operator
   */
  public LearnedCapacities(NetworkSettings declared) {
    this.declared = declared;
  }

  /** The operator declares otherwise; for any thread. */
  public void declare(NetworkSettings latest) {
    declared = latest;
  }

  /**
   * Takes what hosts say now.
   *
   * @param disks what a busy disk of each DataNode wrote, bytes per second, 0 for those that do not
   *     know
   */
  public void look(LinkSnapshot links, double[] disks) {
    long nowMs = links.takenAtMs();
    disagreement = null;
    if (links.topology() != topology) {
      topology = links.topology();
      stretches = new Stretch[2 * topology.rackCount()];
      Arrays.setAll(stretches, ignored -> new Stretch(nowMs));
    }
    for (int rack = 0; rack < topology.rackCount(); rack++) {
      lookAt(links, rack, LinkDirection.RX, stretches[2 * rack]);
      lookAt(links, rack, LinkDirection.TX, stretches[2 * rack + 1]);
    }
    if (disksAtMs == Long.MIN_VALUE || nowMs - disksAtMs >= DISKS_EVERY_MS) {
      disksAtMs = nowMs;
      diskBytesPerSec = middle(disks);
    }
    if (declared.isDiskDeclared()
        && diskBytesPerSec > 0
        && areApart(diskBytesPerSec, declared.diskWriteBytesPerSec())) {
      disagree("busy disks write", diskBytesPerSec, declared.diskWriteBytesPerSec());
    }
  }

  private void lookAt(LinkSnapshot links, int rack, LinkDirection direction, Stretch stretch) {
    boolean isRx = direction == LinkDirection.RX;
    double sum = 0;
    double capacity = 0;
    int losing = 0;
    int hosts = topology.rackSize(rack);
    for (int node = topology.firstNode(rack); node < topology.firstNode(rack + 1); node++) {
      double carries = isRx ? links.hostMeanRx(node) : links.hostMeanTx(node);
      boolean loses = isRx ? links.isSaturatedRx(node) : links.isSaturatedTx(node);
      stretch.isKnown &= links.source(node) == LinkSource.MEASURED;
      losing += loses && carries < FULL * links.hostCapacity(node) ? 1 : 0;
      capacity += links.hostCapacity(node);
      sum += carries;
    }
    stretch.least = Math.min(stretch.least, sum);
    stretch.isFull &= hosts > 1 && 2 * losing > hosts && sum >= LEAST_SHARE * capacity;
    long nowMs = links.takenAtMs();
    if (nowMs - stretch.sinceMs >= HEARTBEATS * declared.updateIntervalMs()) {
      take(stretch, links.rackCapacity(rack), nowMs);
      stretch.begin(nowMs);
    }
  }

  private void take(Stretch stretch, double rackCapacity, long nowMs) {
    if (stretch.isKnown) {
      carried.add(stretch.least, nowMs);
      if (stretch.isFull) {
        full.add(stretch.least, nowMs);
        if (declared.isRackDeclared() && rackCapacity > APART * stretch.least) {
          disagree("a rack's link is full at", stretch.least, rackCapacity);
        }
      }
    }
  }

  /** Of the speeds known; 0 where fewer than half of all DataNodes know one. */
  private static double middle(double[] speeds) {
    double[] known = Arrays.stream(speeds).filter(speed -> speed > 0).sorted().toArray();
    return known.length == 0 || 2 * known.length < speeds.length ? 0 : known[known.length / 2];
  }

  private static boolean areApart(double learned, double declared) {
    return learned > APART * declared || declared > APART * learned;
  }

  private void disagree(String what, double learned, double declared) {
    disagreement =
        String.format("%s %.0f MB/s, and %.0f is declared", what, learned / 1e6, declared / 1e6);
  }

  /**
   * What a rack's link carries when it is full, bytes per second; 0 as long as none was.
   *
   * @param nowMs monotonic time
   */
  public double rackBytesPerSec(long nowMs) {
    return full.get(nowMs) == 0 ? 0 : Math.max(full.get(nowMs), carried.get(nowMs));
  }

  /** Has the next snapshot go by what was learned of all that is not declared. */
  public void tell(LinkSnapshot.Builder snapshot, long nowMs) {
    double rack = rackBytesPerSec(nowMs);
    snapshot.learned(
        declared.isRackDeclared() || rack == 0 ? Double.POSITIVE_INFINITY : rack, diskBytesPerSec);
  }

  /** Where the last look has found what is declared far from what was learned, in words. */
  public Optional<String> disagreement() {
    return Optional.ofNullable(disagreement);
  }
}
