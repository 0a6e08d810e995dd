package org.rackweave.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.rackweave.eafr.ReadQueues;
import org.rackweave.eafr.Servers;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.eafr.ReadRouting;
import org.rackweave.hdfs.namenode.ReadOrderTopology;

/**
 * The order in which three replicas of a block are offered to a reader, as a NameNode finds it for
 * every block of a getBlockLocations. Two NameNodes with the same DataNodes stand side by side: one
 * stock, one with EAFR's order.
 */
final class ReadOrderBench {
  private static final int BLOCKS = 1000;
  private static final int REPLICAS = 3;
  private static final int PORTION = 500;
  private static final int CAPACITY = 15;
  private static final long SEED = 2017;

  private final Configuration conf;
  private final Stopwatch stopwatch;

  ReadOrderBench(Configuration conf, Stopwatch stopwatch) {
    this.conf = conf;
    this.stopwatch = stopwatch;
  }

  void run(int nodes, Consumer<BenchRow> rows) throws Exception {
    Configuration ordering = new Configuration(conf);
    ordering.set(DFSConfigKeys.DFS_NET_TOPOLOGY_IMPL_KEY, ReadOrderTopology.class.getName());
    try (SimulatedCluster stock = SimulatedCluster.start(conf, nodes);
        SimulatedCluster ours = SimulatedCluster.start(ordering, nodes)) {
      route(ours);
      rows.accept(row("reader-on-datanode", stock, ours, true));
      rows.accept(row("reader-elsewhere", stock, ours, false));
      if (ours.context().metrics().readsLeft() > 0
          || ours.context().metrics().readsOrdered() == 0) {
        throw new IllegalStateException("stock HDFS has sorted for ours");
      }
    }
  }

  private static void route(SimulatedCluster cluster) {
    ClusterView state = cluster.context().state();
    SplittableRandom random = new SplittableRandom(SEED);
    ReadQueues queues = new ReadQueues(cluster.size());
    for (int node = 0; node < cluster.size(); node++) {
      queues.reported(node, random.nextInt(2 * CAPACITY), 0, 0);
    }
    cluster
        .context()
        .setReadRouting(
            ReadRouting.of(state, Servers.of(state.topology(), CAPACITY).build(), queues));
  }

  private BenchRow row(
      String name, SimulatedCluster stock, SimulatedCluster ours, boolean onDataNodes)
      throws Exception {
    return BenchRow.of(
        name,
        stock.size(),
        stopwatch.compare(
            new Readers(stock, onDataNodes), new Readers(ours, onDataNodes), PORTION));
  }

  /** Readers of blocks with three replicas, one of ten on a DataNode that has one of them. */
  private static final class Readers implements Stopwatch.Work {
    private final DatanodeManager datanodes;
    private final List<DatanodeInfoWithStorage[]> locations = new ArrayList<>();
    private final List<String> hosts = new ArrayList<>();
    private List<List<LocatedBlock>> blocks = List.of();
    private int next;

    Readers(SimulatedCluster cluster, boolean onDataNodes) {
      datanodes = cluster.nameNode().getNamesystem().getBlockManager().getDatanodeManager();
      SplittableRandom random = new SplittableRandom(SEED);
      for (int block = 0; block < BLOCKS; block++) {
        int[] holders = random.ints(0, cluster.size()).distinct().limit(REPLICAS).toArray();
        DatanodeInfoWithStorage[] replicas = new DatanodeInfoWithStorage[REPLICAS];
        for (int i = 0; i < REPLICAS; i++) {
          replicas[i] =
              new DatanodeInfoWithStorage(
                  cluster.descriptor(holders[i]), "storage", StorageType.DISK);
        }
        locations.add(replicas);
        int reader = block % 10 == 0 ? holders[1] : random.nextInt(cluster.size());
        hosts.add(onDataNodes ? SimulatedRacks.address(reader) : "192.168.0." + block % 250);
      }
    }

    /** HDFS makes such copies for every call, which is no part of the ordering. */
    @Override
    public void prepare() {
      List<List<LocatedBlock>> fresh = new ArrayList<>(PORTION);
      for (int i = 0; i < PORTION; i++) {
        DatanodeInfoWithStorage[] replicas = locations.get((next + i) % BLOCKS).clone();
        fresh.add(List.of(new LocatedBlock(new ExtendedBlock("pool", i), replicas)));
      }
      blocks = fresh;
    }

    @Override
    public void run(int operations) {
      for (int i = 0; i < operations; i++) {
        datanodes.sortLocatedBlocks(hosts.get(next), blocks.get(i % PORTION));
        next = (next + 1) % BLOCKS;
      }
    }
  }
}
