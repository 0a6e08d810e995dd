package org.rackweave.telemetry;

import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.rackweave.model.ClusterTopology;

/**
 * A snapshot plus what has been promised to transfers since it was taken, and the best links of
 * both levels under that sum.
 *
 * <p><b>Hysteresis</b> (Sinbad, section 6.2). Every transfer placed on a link adds {@code I(B,
 * delta) = min(Cap - v^, Size / delta)} to its estimate, delta being the time until the link's next
 * measurement, or less where {@link Promise} says so; the addition is dropped when that measurement
 * arrives. Promises are kept per destination host, with the part that crosses the rack's link
 * beside it, so a rack link forgets exactly the promises that a measurement has overtaken.
 *
 * <p><b>Blocks apart</b> ({@link Promise#SHARE}, a variant of ours), on hosts whose agents tell
 * blocks from other traffic. A measured rate saturates: it does not tell a link that one short
 * write fills from one that others fill for good. So others' load is known by itself, and what it
 * leaves is divided by the blocks under way, which are known as soon as they are ordered:
 *
 * <pre>max(Cap - others, 1 % of Cap) / (1 + blocks)</pre>
 *
 * <p>That is what the next block gets, and no more than a disk writes: on a host the blocks share
 * its disk, behind a rack's link they go to different ones.
 *
 * <p>Measurements do not end such a promise, the end of the transfer does. Bytes that one host of a
 * rack passes on to another are no load of the rack's link then either. A rack that has hosts of
 * both kinds carries what its other hosts receive and what is promised to them besides.
 *
 * <p><b>Expected capacity</b> of a link is {@code min(Cap - Rx^, DiskWriteCap)} (Pseudocode 2). A
 * rack is ranked by the narrower of its own link and its best host's, since a path is as wide as
 * its narrowest link.
 *
 * <p><b>Passing on.</b> Every host of a pipeline but its last sends what it receives. Where blocks
 * are known apart, such a host is ranked by the narrower of both its directions, so that one whose
 * readers fill its link does not hold up those behind it; two hosts of a rack are as good as the
 * best to pass on and the second best to receive. And where all that is known is nearly the same,
 * it counts as the same ({@link BestLinkIndex#ofAlike}).
 *
 * <p>Reads are lock-free; a reservation locks one rack's hosts and then the rack level for some
 * tens of nanoseconds. A new ledger takes over from the previous one with {@link
 * #LinkLedger(LinkSnapshot, LinkLedger)}; promises made to the old one at that very moment are
 * lost, which costs one slightly worse choice.
 */
public final class LinkLedger {
  /** No update is expected sooner than this share of the update interval. */
  private static final double SHORTEST_DELTA = 0.1;

  /** A link that others fill is not without any room: TCP gives everybody a share. */
  private static final double LEAST_ROOM = 0.01;

  /** Nor is it likely to give one more transfer a larger share than this. */
  private static final double MOST_OF_FULL = 0.125;

  private final LinkSnapshot snapshot;
  private final ClusterTopology topology;
  private final NodeEstimate[] estimates;
  private final boolean ownApart;
  private final double diskCap;
  private final double promiseMax;
  private final double[] promised;
  private final double[] promisedAcross;
  private final double[] rackPromised;
  private final int[] orderedHere;
  private final int[] orderedIntoRack;
  private final BestLinkIndex racks;
  private final BestLinkIndex racksForTwo;

  /** By what goes through a rack, in and out again; {@link #racks} where that is not looked at. */
  private final BestLinkIndex passingRacks;

  private final BestLinkIndex[] hosts;

  /** The same by what they can pass on; the very same where that is not looked at. */
  private final BestLinkIndex[] passingHosts;

  /**
   * @param previous the ledger this one replaces, or {@code null}; its promises are carried over
   *     for nodes that have sent no measurement since, whichever topology they stood in
   */
  public LinkLedger(LinkSnapshot snapshot, LinkLedger previous) {
    this(snapshot, previous, null);
  }

  /**
   * @param previous as above
   * @param estimates by node number: told what is ordered, so that it is known until it has
   *     arrived; {@code null} unless {@link Promise#SHARE} asks for it
   */
  public LinkLedger(LinkSnapshot snapshot, LinkLedger previous, NodeEstimate[] estimates) {
    this.snapshot = snapshot;
    this.estimates = estimates;
    ownApart = snapshot.settings().promise() == Promise.SHARE;
    if (ownApart && estimates == null) {
      throw new IllegalArgumentException("promise 'share' needs the nodes' estimates");
    }
    topology = snapshot.topology();
    diskCap = snapshot.diskWriteBytesPerSec();
    promiseMax =
        snapshot.settings().promise() == Promise.DISK_RATE ? diskCap : Double.POSITIVE_INFINITY;
    promised = new double[topology.nodeCount()];
    promisedAcross = new double[topology.nodeCount()];
    rackPromised = new double[topology.rackCount()];
    orderedHere = new int[ownApart ? topology.nodeCount() : 0];
    orderedIntoRack = new int[ownApart ? topology.rackCount() : 0];
    if (previous != null) {
      carryOver(previous);
    }
    hosts = new BestLinkIndex[topology.rackCount()];
    passingHosts = ownApart ? new BestLinkIndex[hosts.length] : hosts;
    double[] rackKeys = new double[topology.rackCount()];
    double[] keysForTwo = new double[topology.rackCount()];
    double[] keysThrough = new double[topology.rackCount()];
    int[] rackWeights = new int[topology.rackCount()];
    for (int rack = 0; rack < hosts.length; rack++) {
      rackWeights[rack] = indexHosts(rack);
      rackKeys[rack] = rackKey(rack, hosts[rack].bestKey());
      keysForTwo[rack] = rackKey(rack, bestPair(rack));
      keysThrough[rack] = ownApart ? keyThrough(rack) : rackKeys[rack];
    }
    racks = index(rackKeys, rackWeights);
    racksForTwo = index(keysForTwo, rackWeights);
    passingRacks = ownApart ? index(keysThrough, rackWeights) : racks;
  }

  /** The same promises over other links of the same nodes, for who asks what if. */
  public LinkLedger over(LinkSnapshot links) {
    return new LinkLedger(links, this, estimates);
  }

  private void carryOver(LinkLedger previous) {
    int[] former = formerNumbers(previous.topology);
    for (int node = 0; node < promised.length; node++) {
      int then = former == null ? node : former[node];
      if (then != ClusterTopology.NONE
          && !isApart(node)
          && previous.snapshot.sequence(then) == snapshot.sequence(node)) {
        promised[node] = previous.promised[then];
        promisedAcross[node] = previous.promisedAcross[then];
        rackPromised[topology.rackOf(node)] += promisedAcross[node];
      }
    }
  }

  /** Number of each node in an earlier topology; {@code null} when it is the same topology. */
  private int[] formerNumbers(ClusterTopology earlier) {
    if (earlier == topology) {
      return null;
    }
    Map<String, Integer> numbers = new HashMap<>(2 * earlier.nodeCount());
    for (int node = 0; node < earlier.nodeCount(); node++) {
      numbers.put(earlier.nodeName(node), node);
    }
    int[] former = new int[topology.nodeCount()];
    for (int node = 0; node < former.length; node++) {
      former[node] = numbers.getOrDefault(topology.nodeName(node), ClusterTopology.NONE);
    }
    return former;
  }

  private int indexHosts(int rack) {
    int first = topology.firstNode(rack);
    double[] keys = new double[topology.rackSize(rack)];
    double[] passing = new double[ownApart ? keys.length : 0];
    int[] weights = new int[keys.length];
    int usable = 0;
    for (int i = 0; i < keys.length; i++) {
      boolean isUsable = snapshot.usable(first + i);
      weights[i] = 1;
      keys[i] = isUsable ? expectedAtHost(first + i) : BestLinkIndex.NEVER;
      if (ownApart) {
        passing[i] = isUsable ? expectedThroughHost(first + i) : BestLinkIndex.NEVER;
      }
      usable += isUsable ? 1 : 0;
    }
    hosts[rack] = index(keys, weights);
    if (ownApart) {
      passingHosts[rack] = index(passing, weights);
    }
    return Math.max(1, usable);
  }

  private BestLinkIndex index(double[] keys, int[] weights) {
    return ownApart ? BestLinkIndex.ofAlike(keys, weights) : new BestLinkIndex(keys, weights);
  }

  /**
   * Room of the two hosts of a rack that are best to pass a block on and to receive it. If the best
   * to pass on is also the best to receive, the second best receives; and if not, it is itself no
   * better than the second best to receive: the formula is the same.
   */
  private double bestPair(int rack) {
    return Math.min(passingHosts[rack].bestKey(), hosts[rack].secondBestKey());
  }

  private double keyThrough(int rack) {
    double key = rackKey(rack, passingHosts[rack].bestKey());
    return key == BestLinkIndex.NEVER ? key : Math.min(key, expectedFromRack(rack));
  }

  private double rackKey(int rack, double host) {
    return host == BestLinkIndex.NEVER ? host : Math.min(host, expectedAtRack(rack));
  }

  public LinkSnapshot snapshot() {
    return snapshot;
  }

  public ClusterTopology topology() {
    return topology;
  }

  /** Whether promises to a host are kept as blocks under way. */
  private boolean isApart(int node) {
    return ownApart && snapshot.isApart(node);
  }

  /**
   * Room on a host's receive link, bytes per second, capped by what a disk can write; blocks under
   * way to the host share its disk, too.
   */
  public double expectedAtHost(int node) {
    if (isApart(node)) {
      double room = leftByOthers(snapshot.hostCapacity(node), snapshot.hostOthersRx(node));
      return Math.min(room, diskCap) / (1 + underWay(node));
    }
    double free = snapshot.hostCapacity(node) - snapshot.hostRx(node) - promised[node];
    return Math.min(Math.max(0, free), diskCap);
  }

  /** Room on a host's link for a block that it receives and passes on, bytes per second. */
  public double expectedThroughHost(int node) {
    double received = expectedAtHost(node);
    if (!ownApart) {
      return received;
    }
    double room = leftByOthers(snapshot.hostCapacity(node), snapshot.hostOthersTx(node));
    return Math.min(received, room / (1 + underWay(node)));
  }

  /**
   * What a block is likely to get on its way to a host: more than what others leave where that is
   * next to nothing, since TCP's senders make room for it.
   *
   * @param crossesRackLink whether it comes from another rack
   * @param passesOn whether the host sends it on
   */
  public double likelyAtHost(int node, boolean crossesRackLink, boolean passesOn) {
    double capacity = snapshot.hostCapacity(node);
    int sharing = 1 + underWay(node);
    double link = shareOf(capacity, othersAtHost(node));
    if (passesOn && isApart(node)) {
      link = Math.min(link, shareOf(capacity, snapshot.hostOthersTx(node)));
    }
    double rate = Math.min(link, diskCap) / sharing; // blocks share the disk, too
    return crossesRackLink && topology.rackCount() > 1
        ? Math.min(rate, likelyAtRack(topology.rackOf(node)))
        : rate;
  }

  private double othersAtHost(int node) {
    return isApart(node) ? snapshot.hostOthersRx(node) : snapshot.hostRx(node) + promised[node];
  }

  private double likelyAtRack(int rack) {
    double others =
        ownApart
            ? snapshot.rackOthersRx(rack) + rackPromised[rack]
            : snapshot.rackRx(rack) + rackPromised[rack];
    int sharing = ownApart ? 1 + underWayInto(rack) : 1;
    return shareOf(snapshot.rankedRackCapacity(rack), others) / sharing;
  }

  private static double shareOf(double capacity, double others) {
    return Math.max(capacity - others, MOST_OF_FULL * capacity);
  }

  private int underWay(int node) {
    return isApart(node) ? snapshot.hostTransfers(node) + orderedHere[node] : 0;
  }

  /**
   * Room on the link from a rack to the core for a block that came into the rack, bytes per second;
   * all that are under way into it are taken to go on.
   */
  private double expectedFromRack(int rack) {
    double room = leftByOthers(snapshot.rankedRackCapacity(rack), snapshot.rackOthersTx(rack));
    return room / (1 + underWayInto(rack));
  }

  private int underWayInto(int rack) {
    return snapshot.rackTransfers(rack) + orderedIntoRack[rack];
  }

  /**
   * The most that a block of a writer on a host is likely to get on its way out of the rack, bytes
   * per second; no limit where that is not known.
   */
  public double mostFrom(int writer) {
    if (!isApart(writer)) {
      return Double.POSITIVE_INFINITY;
    }
    int rack = topology.rackOf(writer);
    double capacity = snapshot.hostCapacity(writer);
    double share =
        Math.max(capacity - snapshot.hostOthersTx(writer), MOST_OF_FULL * capacity)
            / (1 + underWay(writer));
    double host = Math.max(capacity - snapshot.hostTx(writer), share);
    double across = snapshot.rankedRackCapacity(rack);
    return Math.min(host, Math.max(across - snapshot.rackOthersTx(rack), MOST_OF_FULL * across));
  }

  /**
   * Room on the link from the core into a rack, bytes per second, capped by what a disk can write.
   */
  public double expectedAtRack(int rack) {
    if (ownApart) {
      double room =
          leftByOthers(
              snapshot.rankedRackCapacity(rack), snapshot.rackOthersRx(rack) + rackPromised[rack]);
      return Math.min(room / (1 + underWayInto(rack)), diskCap);
    }
    double free = snapshot.rankedRackCapacity(rack) - snapshot.rackRx(rack) - rackPromised[rack];
    return Math.min(Math.max(0, free), diskCap);
  }

  private static double leftByOthers(double capacity, double others) {
    return Math.max(capacity - others, LEAST_ROOM * capacity);
  }

  /**
   * Room for several replicas in one rack: the narrower of the rack's link, which a write pipeline
   * crosses once, and the link of its n-th best host.
   *
   * @param replicas at least 1
   * @param goesOn whether the pipeline goes on in another rack
   */
  public double expectedForReplicas(
      int rack, int replicas, boolean goesOn, RandomGenerator random) {
    if (replicas <= 2) {
      return racksFor(replicas, goesOn).key(rack);
    }
    BestLinkIndex.Walk walk = hosts[rack].walk(random);
    for (int i = 1; i < replicas; i++) {
      walk.next();
    }
    return rackKey(rack, walk.peekKey());
  }

  /** Racks with a usable host, the one with most room first. */
  public BestLinkIndex.Walk racks(RandomGenerator random) {
    return racks.walk(random);
  }

  /**
   * Racks with enough usable hosts, the one with most room for so many replicas first; the order of
   * three and more is the order of two, which is an upper bound of their room.
   *
   * @param replicas at least 1
   * @param goesOn whether the pipeline goes on in another rack; of one replica that is looked at
   */
  public BestLinkIndex.Walk racks(int replicas, boolean goesOn, RandomGenerator random) {
    return racksFor(replicas, goesOn).walk(random);
  }

  private BestLinkIndex racksFor(int replicas, boolean goesOn) {
    return replicas > 1 ? racksForTwo : goesOn ? passingRacks : racks;
  }

  /**
   * Usable hosts of a rack, the one with most room first, numbered from the rack's first node.
   *
   * @see ClusterTopology#firstNode
   */
  public BestLinkIndex.Walk hosts(int rack, RandomGenerator random) {
    return hosts[rack].walk(random);
  }

  /** The same, the one that can pass on most first. */
  public BestLinkIndex.Walk passingHosts(int rack, RandomGenerator random) {
    return passingHosts[rack].walk(random);
  }

  /**
   * Promises a transfer to a host, so that the next decision sees its link as busier.
   *
   * @param crossesRackLink whether the bytes come from outside the host's rack
   * @param sizeBytes size of the block
   * @param nowMs time on the collector's monotonic clock
   */
  public void reserve(int node, boolean crossesRackLink, long sizeBytes, long nowMs) {
    reserve(new int[] {node}, 0, 1, crossesRackLink, sizeBytes, nowMs);
  }

  /**
   * Promises a transfer to hosts of one rack that pass it on to each other.
   *
   * @param pipeline nodes in the order in which the bytes reach them
   * @param from first of the hosts
   * @param to behind the last of the hosts
   * @param crossesRackLink whether the first one gets the bytes from outside its rack
   * @param sizeBytes size of the block
   * @param nowMs time on the collector's monotonic clock
   */
  public void reserve(
      int[] pipeline, int from, int to, boolean crossesRackLink, long sizeBytes, long nowMs) {
    int rack = topology.rackOf(pipeline[from]);
    synchronized (hosts[rack]) {
      for (int i = from; i < to; i++) {
        boolean crosses = i == from && crossesRackLink;
        if (isApart(pipeline[i])) {
          order(pipeline[i], rack, crosses);
        } else {
          promise(pipeline[i], rack, crosses, sizeBytes, nowMs);
        }
        if (snapshot.usable(pipeline[i])) {
          int host = pipeline[i] - topology.firstNode(rack);
          hosts[rack].update(host, expectedAtHost(pipeline[i]));
          if (ownApart) {
            passingHosts[rack].update(host, expectedThroughHost(pipeline[i]));
          }
        }
      }
      reorder(rack);
    }
  }

  private void promise(int node, int rack, boolean crosses, long sizeBytes, long nowMs) {
    double bytesPerSec = Math.min(promiseMax, sizeBytes * 1000.0 / untilNextUpdateMs(node, nowMs));
    promised[node] += increment(snapshot.hostCapacity(node), hostLoad(node), bytesPerSec);
    if (crosses) {
      double more = increment(snapshot.rankedRackCapacity(rack), rackLoad(rack), bytesPerSec);
      promisedAcross[node] += more;
      rackPromised[rack] += more;
    }
  }

  private void order(int node, int rack, boolean crosses) {
    estimates[node].order(crosses);
    orderedHere[node]++;
    orderedIntoRack[rack] += crosses ? 1 : 0;
  }

  /** Says that a writer puts a block on the node it runs on: no link carries it. */
  public void orderLocally(int node) {
    if (isApart(node)) {
      estimates[node].orderLocally();
    }
  }

  /** Ranks a rack anew, its hosts being locked. */
  private void reorder(int rack) {
    double forOne = rackKey(rack, hosts[rack].bestKey());
    double forTwo = rackKey(rack, bestPair(rack));
    double through = ownApart ? keyThrough(rack) : forOne;
    synchronized (racks) {
      racks.update(rack, forOne);
      racksForTwo.update(rack, forTwo);
      if (ownApart) {
        passingRacks.update(rack, through);
      }
    }
  }

  private double hostLoad(int node) {
    return snapshot.hostRx(node) + promised[node];
  }

  private double rackLoad(int rack) {
    return snapshot.rackRx(rack) + rackPromised[rack];
  }

  private static double increment(double capacity, double load, double bytesPerSec) {
    return Math.max(0, Math.min(capacity - load, bytesPerSec));
  }

  private double untilNextUpdateMs(int node, long nowMs) {
    double interval = snapshot.settings().updateIntervalMs();
    long sampled = snapshot.sampledAtMs(node);
    double left = sampled == Long.MIN_VALUE ? interval : sampled + interval - nowMs;
    return Math.min(interval, Math.max(interval * SHORTEST_DELTA, left));
  }
}
