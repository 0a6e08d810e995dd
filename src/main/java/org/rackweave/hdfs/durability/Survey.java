package org.rackweave.hdfs.durability;

import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.Time;
import org.rackweave.durability.DeathLosses;
import org.rackweave.durability.DeathLosses.Loss;
import org.rackweave.durability.Exposure;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.hdfs.durability.ReplicaLookup.Held;
import org.rackweave.hdfs.ear.StripeWalk;
import org.rackweave.model.ClusterTopology;

/**
 * What deaths of DataNodes would do to blocks and stripes. A <em>block</em> is a replicated one
 * that is in no encoded stripe; a <em>stripe</em> is an encoded stripe of ours or a block group of
 * HDFS's erasure coding, and counts once however many blocks it has. Not counted are blocks that
 * are being written and those on PROVIDED storage. A replica counts when its DataNode lives and is
 * not stale, whatever its storage type, also one that is decommissioned or in maintenance; a
 * corrupt or excess one does not.
 *
 * <p>At most {@value #BLOCKS_MOST} blocks and {@value #STRIPES_MOST} stripes are looked at; of
 * more, a sample stands for all. Thread-safe; each call holds the namesystem's read lock for a
 * small batch at a time.
 */
public final class Survey {
  /** A second or two of looking, and some 100 MB for their pairs at most, as for stripes'. */
  static final int BLOCKS_MOST = 1_000_000;

  static final int STRIPES_MOST = 20_000;

  private static final String PAIRS_LACK =
      "; two deaths may lose more: of pairs of DataNodes only "
          + DeathLosses.PAIRS_MOST
          + " were counted";

  private final NameNode nameNode;
  private final ReplicaLookup lookup;
  private final StripeWalk stripes;

  /** Of blocks that are short of replicas, and of those that have one. */
  private final Exposure low = new Exposure(ZoneId.systemDefault());

  private final Exposure single = new Exposure(ZoneId.systemDefault());

  public Survey(NameNode nameNode, ReplicaLookup lookup, StripeWalk stripes) {
    this.nameNode = nameNode;
    this.lookup = lookup;
    this.stripes = stripes;
  }

  /**
   * What is left after some DataNodes are gone. Counts are for all, estimated where a sample was
   * looked at.
   *
   * @param blocks replicated ones that they hold
   * @param lost of these, without any replica left
   * @param single of these, with one left though more are wanted
   * @param crowded of these, with several left that do not satisfy the placement policy
   * @param undecodable stripes that cannot be decoded any more
   * @param last stripes that lose blocks and can spare none after that
   * @param rebuilt blocks of stripes to be rebuilt, for which no time is told
   * @param copied numbers of the blocks that were looked at and need copies
   * @param factor for how many each of them stands
   * @param basis what all is known from, in words
   */
  public record Left(
      long blocks,
      long lost,
      long single,
      long crowded,
      long undecodable,
      long last,
      long rebuilt,
      long[] copied,
      double factor,
      String basis) {

    /** Whether nothing is lost, and nothing would be by one more death. */
    public boolean isSafe() {
      return lost + single + undecodable + last == 0;
    }
  }

  /**
   * Looks at what is left.
   *
   * @param isReadable whether what they have can be copied from them, as when they are drained
   */
  public Left without(List<DatanodeDescriptor> gone, boolean isReadable, ClusterView nodes) {
    requireReports();
    long replicas = gone.stream().mapToLong(DatanodeDescriptor::numBlocks).sum();
    int every = (int) Math.max(1, (replicas + BLOCKS_MOST - 1) / BLOCKS_MOST);
    long[] ids = lookup.idsOn(gone, every);
    long[] counts = new long[6];
    long[] copied = new long[ids.length];
    int[] copies = new int[1];
    forEach(
        ids,
        Set.copyOf(gone),
        block -> {
          if (block.isStriped()) {
            counts[4] += block.left() < block.needed() ? 1 : 0;
            counts[5] += block.left() == block.needed() ? 1 : 0;
          } else if (!isOfStripe(block)) {
            counts[0]++;
            counts[1] += block.left() == 0 ? 1 : 0;
            counts[2] += block.left() == 1 && block.wanted() > 1 ? 1 : 0;
            counts[3] += block.left() > 1 && !block.isSpread() ? 1 : 0;
          }
          boolean hasSource = isReadable || block.left() > 0;
          if (!block.isStriped() && hasSource && block.left() < block.wanted()) {
            copied[copies[0]++] = block.id();
          }
        });
    boolean[] isGone = new boolean[nodes.topology().nodeCount()];
    IntStream.of(nodes.numbersOf(gone)).forEach(node -> isGone[node] = true);
    long[] ours = new long[3];
    int each = stripes.every(STRIPES_MOST);
    stripes.forEach(
        nodes,
        each,
        stripe -> {
          int lost = 0;
          for (int[] holders : stripe.pieces()) {
            lost += IntStream.of(holders).allMatch(node -> isGone[node]) ? 1 : 0;
          }
          ours[0] += lost > Math.max(0, stripe.spare()) ? 1 : 0;
          ours[1] += lost > 0 && lost == stripe.spare() ? 1 : 0;
          ours[2] += lost;
        });
    return new Left(
        counts[0] * every,
        counts[1] * every,
        counts[2] * every,
        counts[3] * every,
        counts[4] * every + ours[0] * each,
        counts[5] * every + ours[1] * each,
        ours[2] * each,
        Arrays.copyOf(copied, copies[0]),
        every,
        basis(every > 1, ids.length, each));
  }

  private static String basis(boolean isSample, int blocks, int each) {
    String some = isSample ? blocks + " blocks" : "";
    some += isSample && each > 1 ? " and " : "";
    some += each > 1 ? "one of " + each + " encoded stripes" : "";
    return some.isEmpty() ? "exact" : "estimated from a sample of " + some;
  }

  private boolean isOfStripe(Held block) {
    return block.isParity() || (!block.isStriped() && stripes.isMember(block.id()));
  }

  private int forEach(long[] ids, Set<DatanodeDescriptor> without, Consumer<Held> action) {
    int found = 0;
    for (int from = 0; from < ids.length; from += ReplicaLookup.AT_A_TIME) {
      int to = Math.min(ids.length, from + ReplicaLookup.AT_A_TIME);
      List<Held> blocks = lookup.look(Arrays.copyOfRange(ids, from, to), without);
      found += blocks.size();
      blocks.forEach(action);
    }
    return found;
  }

  /** What one more death, two at once and a rack's would lose now, and how it has been. */
  public AdminAnswer durability(ClusterView nodes) {
    requireReports();
    ClusterTopology topology = nodes.topology();
    long all = lookup.blockCount();
    DeathLosses blocks = new DeathLosses(topology);
    DeathLosses groups = new DeathLosses(topology);
    long[] counts = new long[2];
    int found =
        forEach(
            lookup.ids(BLOCKS_MOST, ThreadLocalRandom.current()),
            Set.of(),
            block -> {
              int[][] pieces =
                  block.pieces().stream()
                      .map(nodes::numbersOf)
                      .filter(holders -> holders.length > 0)
                      .toArray(int[][]::new);
              if (pieces.length < block.needed()) {
                counts[0]++;
              } else if (block.isStriped()) {
                groups.add(pieces, pieces.length - block.needed(), 1);
              } else if (!isOfStripe(block)) {
                blocks.add(pieces, 0, 1);
                counts[1] += block.left() == 1 ? 1 : 0;
              }
            });
    boolean isSample = all > BLOCKS_MOST;
    double factor = isSample && found > 0 ? (double) all / found : 1;
    int each = stripes.every(STRIPES_MOST);
    stripes.forEach(
        nodes,
        each,
        stripe -> {
          if (stripe.spare() >= 0) {
            groups.add(stripe.pieces(), stripe.spare(), each / factor);
          }
        });
    int[] live =
        IntStream.range(0, topology.nodeCount())
            .filter(node -> nodes.datanodes()[node].isAlive())
            .toArray();
    AdminAnswer answer =
        new AdminAnswer()
            .with(
                "basis",
                basis(isSample, found, each)
                    + (blocks.lacksPairs() || groups.lacksPairs() ? PAIRS_LACK : ""))
            .with("blocks", all)
            .with("blocks_on_one_replica", Math.round(counts[1] * factor))
            .with("blocks_unreadable_now", Math.round(counts[0] * factor))
            .with(
                "one_death",
                row(blocks.oneDeath(live), groups.oneDeath(live), factor, topology::nodeName))
            .with(
                "two_deaths",
                row(blocks.twoDeaths(live), groups.twoDeaths(live), factor, topology::nodeName))
            .with(
                "rack_death",
                row(blocks.rackDeath(live), groups.rackDeath(live), factor, topology::rackPath));
    Exposure.BlockHours shortOf = low.blockHours();
    Exposure.BlockHours onOne = single.blockHours();
    return answer.with(
        "exposure_block_hours",
        new AdminAnswer()
            .with("today", shortOf.today())
            .with("before", shortOf.before())
            .with("one_replica_today", onOne.today())
            .with("one_replica_before", onOne.before()));
  }

  private static AdminAnswer row(
      Loss blocks, Loss stripes, double factor, IntFunction<String> name) {
    int[] where = blocks.worst() > 0 ? blocks.where() : stripes.where();
    return new AdminAnswer()
        .with("worst_blocks", Math.round(blocks.worst() * factor))
        .with("mean_blocks", blocks.mean() * factor)
        .with("stripes", Math.round(stripes.worst() * factor))
        .with("worst", String.join(", ", IntStream.of(where).mapToObj(name).toList()));
  }

  /** A look each minute at counts that HDFS keeps. */
  public void look() {
    boolean isKnown = nameNode.isActiveState() && !nameNode.isInSafeMode();
    var blocks = nameNode.getNamesystem().getBlockManager();
    long pending = blocks.getPendingReconstructionBlocksCount();
    low.add(Time.now(), isKnown ? blocks.getLowRedundancyBlocksCount() + pending : -1);
    single.add(Time.now(), isKnown ? blocks.getHighestPriorityReplicatedBlockCount() : -1);
  }

  private void requireReports() {
    if (!nameNode.isActiveState() || nameNode.getNamesystem().isInStartupSafeMode()) {
      throw new IllegalStateException(
          "the NameNode is not active, or has not heard of all blocks yet: it is in safe mode");
    }
  }
}
