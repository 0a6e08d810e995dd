package org.rackweave.cli.bench;

import static org.rackweave.cli.bench.BenchTable.column;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.rackweave.graph.GroupedMatching;

/**
 * Whether a block can join its stripe: by one more step of a matching that is kept, against a
 * maximum flow built anew. The setting is the paper's (Experiment B.2): 20 racks of 20 nodes, (14,
 * 10), three replicas in two racks; both are asked about the same layouts in the same order, and
 * have to agree on every one before they are timed.
 */
final class EarMatchBench {
  private static final int N = 14;
  private static final int K = 10;
  private static final int RACKS = 20;
  private static final int REPLICAS = 3;
  private static final int STRIPES = 200;
  private static final int BLOCKS = STRIPES * K;
  private static final long SEED = 20;

  /**
   * What it takes to tell whether a block can join its stripe.
   *
   * @param n blocks of a stripe with parity
   * @param k blocks of data in it
   * @param racks of the cluster
   * @param c most blocks of a stripe in a rack
   * @param oursNs CPU time for one block, its rejected layouts included, nanoseconds
   * @param rebuildNs the same with a maximum flow built from scratch for every layout
   * @param drawsPerBlock layouts asked about for one block
   */
  record Row(
      int n, int k, int racks, int c, double oursNs, double rebuildNs, double drawsPerBlock) {
    static final BenchTable<Row> TABLE =
        new BenchTable<>(
            List.of(
                column("n", "%4d", "n", "%d", Row::n),
                column("k", "%4d", "k", "%d", Row::k),
                column("racks", "%6d", "racks", "%d", Row::racks),
                column("c", "%3d", "c", "%d", Row::c),
                column("ours ns", "%10.1f", "ours_ns", "%.1f", Row::oursNs),
                column("rebuild ns", "%11.1f", "rebuild_ns", "%.1f", Row::rebuildNs),
                column("faster", "%7.1f", "speed_up", "%.2f", row -> row.rebuildNs / row.oursNs),
                column("draws", "%6.2f", "draws_per_block", "%.3f", Row::drawsPerBlock)));
  }

  private final Stopwatch stopwatch;

  EarMatchBench(Stopwatch stopwatch) {
    this.stopwatch = stopwatch;
  }

  void run(Consumer<Row> rows) throws Exception {
    for (int c : new int[] {1, 2, 4}) {
      Layouts layouts = Layouts.draw(c);
      Work ours = new Kept(layouts);
      Work rebuild = new Rebuilt(layouts);
      requireAgreement(layouts, ours, rebuild);
      Stopwatch.Comparison compared = stopwatch.compare(rebuild, ours, BLOCKS);
      double draws = (double) layouts.verdicts.length / BLOCKS;
      rows.accept(
          new Row(N, K, RACKS, c, compared.ours().nanos(), compared.stock().nanos(), draws));
    }
  }

  private static void requireAgreement(Layouts layouts, Work... works) throws Exception {
    for (Work work : works) {
      work.run(BLOCKS);
      if (!Arrays.equals(work.verdicts, layouts.verdicts)) {
        throw new IllegalStateException(work.getClass().getSimpleName() + " judges otherwise");
      }
    }
  }

  /**
   * Replicas of one block after another, drawn until they fit: {@code REPLICAS} nodes and their
   * racks a layout, and whether it was kept.
   */
  private record Layouts(int c, int[][] nodes, int[][] racks, boolean[] verdicts) {

    static Layouts draw(int c) {
      Random dice = new Random(SEED);
      List<int[]> nodes = new ArrayList<>();
      List<Boolean> verdicts = new ArrayList<>();
      for (int stripe = 0; stripe < STRIPES; stripe++) {
        GroupedMatching matching = new GroupedMatching(K, c);
        int coreRack = dice.nextInt(RACKS);
        while (matching.size() < K) {
          int core = nodeIn(coreRack, dice);
          boolean fits = false;
          while (!fits) {
            int[] drawn = drawOutside(coreRack, core, dice);
            fits = matching.fits(drawn, racksOf(drawn), REPLICAS);
            nodes.add(drawn);
            verdicts.add(fits);
            if (fits) {
              matching.add(drawn, racksOf(drawn), REPLICAS);
            }
          }
        }
      }
      int[][] all = nodes.toArray(int[][]::new);
      boolean[] kept = new boolean[verdicts.size()];
      for (int i = 0; i < kept.length; i++) {
        kept[i] = verdicts.get(i);
      }
      int[][] racks = Arrays.stream(all).map(Layouts::racksOf).toArray(int[][]::new);
      return new Layouts(c, all, racks, kept);
    }

    private static int[] drawOutside(int coreRack, int core, Random dice) {
      int rack = (coreRack + 1 + dice.nextInt(RACKS - 1)) % RACKS;
      int second = nodeIn(rack, dice);
      int third = nodeIn(rack, dice);
      while (third == second) {
        third = nodeIn(rack, dice);
      }
      return new int[] {core, second, third};
    }

    private static int nodeIn(int rack, Random dice) {
      return rack * SimulatedRacks.NODES_PER_RACK + dice.nextInt(SimulatedRacks.NODES_PER_RACK);
    }

    private static int[] racksOf(int[] nodes) {
      return Arrays.stream(nodes).map(node -> node / SimulatedRacks.NODES_PER_RACK).toArray();
    }
  }

  /** Judges layout after layout, from the first again when all are done. */
  private abstract static class Work implements Stopwatch.Work {
    final Layouts layouts;
    final boolean[] verdicts;
    private int next;
    private int blocks;

    Work(Layouts layouts) {
      this.layouts = layouts;
      verdicts = new boolean[layouts.verdicts.length];
    }

    abstract void startStripe();

    /** Whether the block fits with these replicas; if so it joins the stripe. */
    abstract boolean join(int[] nodes, int[] racks);

    @Override
    public void run(int operations) {
      for (int i = 0; i < operations; i++) {
        if (blocks % K == 0) {
          startStripe();
        }
        boolean joined = false;
        while (!joined) {
          joined = join(layouts.nodes[next], layouts.racks[next]);
          verdicts[next] = joined;
          next = next + 1 == verdicts.length ? 0 : next + 1;
        }
        blocks = blocks + 1 == BLOCKS ? 0 : blocks + 1;
      }
    }
  }

  private static final class Kept extends Work {
    private final GroupedMatching matching;

    Kept(Layouts layouts) {
      super(layouts);
      matching = new GroupedMatching(K, layouts.c);
    }

    @Override
    void startStripe() {
      matching.clear();
    }

    @Override
    boolean join(int[] nodes, int[] racks) {
      int left = matching.add(nodes, racks, REPLICAS);
      if (matching.matchOf(left) == GroupedMatching.NONE) {
        matching.remove(left);
        return false;
      }
      return true;
    }
  }

  private static final class Rebuilt extends Work {
    private final MaxFlow network = new MaxFlow();
    private final int[][] nodes = new int[K][];
    private final int[][] racks = new int[K][];
    private int size;

    /** Vertex of a node or rack, when {@code builtFor} it says that it has one in this network. */
    private final int[] vertexOfNode = new int[RACKS * SimulatedRacks.NODES_PER_RACK];

    private final int[] vertexOfRack = new int[RACKS];
    private final int[] nodeBuiltFor = new int[RACKS * SimulatedRacks.NODES_PER_RACK];
    private final int[] rackBuiltFor = new int[RACKS];
    private int build;

    Rebuilt(Layouts layouts) {
      super(layouts);
    }

    @Override
    void startStripe() {
      size = 0;
    }

    @Override
    boolean join(int[] nodesOfBlock, int[] racksOfBlock) {
      nodes[size] = nodesOfBlock;
      racks[size] = racksOfBlock;
      if (flow(size + 1) <= size) {
        return false;
      }
      size++;
      return true;
    }

    private int flow(int blocks) {
      build++;
      network.reset();
      int source = network.addVertex();
      int sink = network.addVertex();
      for (int block = 0; block < blocks; block++) {
        int vertex = network.addVertex();
        network.addEdge(source, vertex, 1);
        for (int i = 0; i < REPLICAS; i++) {
          network.addEdge(vertex, nodeVertex(nodes[block][i], racks[block][i], sink), 1);
        }
      }
      return network.run(source, sink);
    }

    private int nodeVertex(int node, int rack, int sink) {
      if (nodeBuiltFor[node] != build) {
        nodeBuiltFor[node] = build;
        vertexOfNode[node] = network.addVertex();
        if (rackBuiltFor[rack] != build) {
          rackBuiltFor[rack] = build;
          vertexOfRack[rack] = network.addVertex();
          network.addEdge(vertexOfRack[rack], sink, layouts.c);
        }
        network.addEdge(vertexOfNode[node], vertexOfRack[rack], 1);
      }
      return vertexOfNode[node];
    }
  }
}
