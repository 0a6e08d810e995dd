package org.rackweave.cli.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.EarBlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.SinbadBlockPlacementPolicy;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.rackweave.ear.SealedStripe;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.ear.AddBlockCall;
import org.rackweave.hdfs.ear.StripeRegistry;
import org.rackweave.hdfs.namenode.PlacementMetrics;

/** The choice of three DataNodes for a new block, stock against ours on the same NameNode. */
final class ChooseTargetBench {
  private static final int REPLICAS = 3;
  private static final long BLOCK_BYTES = 128L << 20;
  private static final int WRITERS = 4096;

  /** The widest of the codes in use: most of a stripe to be matched with racks. */
  private static final String CODE = "rs-10-4";

  /** A cluster that writes 0.6 replicas a second on every DataNode places one block for so many. */
  private static final int NODES_PER_BLOCK_AND_SNAPSHOT = 20;

  private final Configuration conf;
  private final Stopwatch stopwatch;
  private final PrintStream out;

  ChooseTargetBench(Configuration conf, Stopwatch stopwatch, PrintStream out) {
    this.conf = conf;
    this.stopwatch = stopwatch;
    this.out = out;
  }

  void run(int nodes, Consumer<BenchRow> rows) throws Exception {
    try (SimulatedCluster cluster = SimulatedCluster.start(conf, nodes)) {
      measure("sinbad", new NewBlocks(cluster, SinbadBlockPlacementPolicy.class), rows);
      cluster.configure("rackweave.sinbad.spread", "distinct-racks");
      measure(
          "sinbad-distinct-racks", new NewBlocks(cluster, SinbadBlockPlacementPolicy.class), rows);
      cluster.configure(ConfiguredRules.CODES, "/bench=" + CODE);
      StripeBlocks blocks = new StripeBlocks(cluster.context().stripes());
      measure("ear", new NewStripeBlocks(cluster, blocks), rows);
      measure("ear-add-block", new AddedStripeBlocks(cluster, blocks), rows);
    }
  }

  private void measure(String name, NewBlocks ours, Consumer<BenchRow> rows) throws Exception {
    SimulatedCluster cluster = ours.cluster;
    int portion = Math.max(1, cluster.size() / NODES_PER_BLOCK_AND_SNAPSHOT);
    NewBlocks stock = new NewBlocks(cluster, BlockPlacementPolicyDefault.class);
    rows.accept(BenchRow.of(name, cluster.size(), stopwatch.compare(stock, ours, portion)));
    PlacementMetrics metrics = cluster.context().metrics();
    if (metrics.fallbackCount() > 0) {
      out.printf(
          "  stock answered %d requests, Rackweave %d%n",
          metrics.fallbackCount(), metrics.decisionCount());
    }
  }

  /** Requests for new blocks: most writers run on DataNodes, some elsewhere. */
  static class NewBlocks implements Stopwatch.Work {
    private final SimulatedCluster cluster;
    private final BlockPlacementPolicy policy;
    private final BlockStoragePolicy storagePolicy =
        BlockStoragePolicySuite.createDefaultSuite().getDefaultPolicy();
    private final List<DatanodeStorageInfo> noReplica = new ArrayList<>();
    private final EnumSet<AddBlockFlag> noFlags = EnumSet.noneOf(AddBlockFlag.class);
    private final Node[] writers = new Node[WRITERS];
    private int requests;

    NewBlocks(SimulatedCluster cluster, Class<? extends BlockPlacementPolicy> type) {
      this.cluster = cluster;
      policy = cluster.policy(type);
      SplittableRandom random = new SplittableRandom(cluster.size());
      for (int i = 0; i < writers.length; i++) {
        int node = random.nextInt(cluster.size());
        writers[i] =
            switch (i % 10) {
              case 0 -> null;
              case 1 ->
                  new NodeBase("gateway", SimulatedRacks.rackPath(SimulatedRacks.rackOf(node)));
              default -> cluster.descriptor(node);
            };
      }
    }

    @Override
    public void prepare() {
      cluster.advance();
    }

    @Override
    public void run(int operations) throws IOException {
      for (int i = 0; i < operations; i++) {
        place();
      }
    }

    DatanodeStorageInfo[] place() throws IOException {
      DatanodeStorageInfo[] targets =
          policy.chooseTarget(
              "/bench/file",
              REPLICAS,
              writers[requests++ % WRITERS],
              noReplica,
              false,
              null,
              BLOCK_BYTES,
              storagePolicy,
              noFlags);
      if (targets.length != REPLICAS) {
        throw new IOException(policy.getClass() + " found " + targets.length + " targets");
      }
      return targets;
    }
  }

  /** The same with EAR, which also takes a seat in a stripe. All else is done in between. */
  private static final class NewStripeBlocks extends NewBlocks {
    private final StripeBlocks blocks;
    private final List<AddBlockCall> calls = new ArrayList<>();
    private final List<DatanodeStorageInfo[]> targets = new ArrayList<>();

    NewStripeBlocks(SimulatedCluster cluster, StripeBlocks blocks) {
      super(cluster, EarBlockPlacementPolicy.class);
      this.blocks = blocks;
    }

    @Override
    public void prepare() {
      super.prepare();
      for (int i = 0; i < calls.size(); i++) {
        blocks.answer(calls.get(i), targets.get(i));
      }
      calls.clear();
      targets.clear();
      blocks.takeSealed();
    }

    @Override
    DatanodeStorageInfo[] place() throws IOException {
      calls.add(blocks.begin());
      DatanodeStorageInfo[] chosen = super.place();
      targets.add(chosen);
      return chosen;
    }
  }

  /** The same, and all that EAR adds to {@code addBlock}: ids are learned and stripes sealed. */
  private static final class AddedStripeBlocks extends NewBlocks {
    private final StripeBlocks blocks;

    AddedStripeBlocks(SimulatedCluster cluster, StripeBlocks blocks) {
      super(cluster, EarBlockPlacementPolicy.class);
      this.blocks = blocks;
    }

    @Override
    public void prepare() {
      super.prepare();
      blocks.takeSealed();
    }

    @Override
    DatanodeStorageInfo[] place() throws IOException {
      AddBlockCall call = blocks.begin();
      DatanodeStorageInfo[] targets = super.place();
      blocks.answer(call, targets);
      return targets;
    }
  }

  /** What the NameNode does around the choice, and the encoder behind it. */
  private static final class StripeBlocks {
    private final StripeRegistry stripes;
    private long lastBlockId;

    StripeBlocks(StripeRegistry stripes) {
      this.stripes = stripes;
    }

    AddBlockCall begin() {
      return AddBlockCall.begin(stripes);
    }

    void answer(AddBlockCall call, DatanodeStorageInfo[] targets) {
      List<String> uuids = new ArrayList<>(targets.length);
      for (DatanodeStorageInfo target : targets) {
        uuids.add(target.getDatanodeDescriptor().getDatanodeUuid());
      }
      call.answered(++lastBlockId, uuids);
      call.end();
    }

    void takeSealed() {
      for (SealedStripe next = stripes.nextSealed(); next != null; next = stripes.nextSealed()) {
        stripes.finished(next);
      }
    }
  }
}
