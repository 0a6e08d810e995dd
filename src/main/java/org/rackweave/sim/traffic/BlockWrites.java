package org.rackweave.sim.traffic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.cluster.Cluster;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.Invariant;
import org.rackweave.sim.network.Flow;
import org.rackweave.sim.network.Path;
import org.rackweave.sim.policy.BlockRequest;
import org.rackweave.sim.policy.PlacementPolicy;
import org.rackweave.sim.workload.TimedRequest;
import org.rackweave.sinbad.RequestQueue;

/**
 * Clients that write files, each block after block as HDFS's do. A block is asked for, placed by
 * the policy, and sent through its pipeline as one flow.
 *
 * <p>A policy may collect the requests of a decision interval; they are then placed at its end in
 * the order of the NameNode's own queue.
 *
 * <p>A client that meets a node that is down asks again without it. When a node fails under a
 * write, the pipeline goes on without the node; when the writer itself fails, the file ends there.
 */
public final class BlockWrites {
  private static final int UNBOUNDED = Integer.MAX_VALUE;
  private static final int[] NO_NODES = {};

  private final EventLoop loop;
  private final Cluster cluster;
  private final PlacementPolicy policy;
  private final Settings settings;
  private final Consumer<BlockOutcome> whenEnded;
  private final RequestQueue<Block> waiting = new RequestQueue<>(UNBOUNDED);
  private final Set<Block> running = new LinkedHashSet<>();
  private boolean dispatchDue;
  private boolean hasEnded;
  private String fault;

  /**
   * How writes go.
   *
   * @param decisionIntervalNanos the paper's q; 0 places each block at once
   * @param isSourceFree whether the writers' own links limit nothing
   */
  public record Settings(long decisionIntervalNanos, boolean isSourceFree) {}

  /** One block on its way. */
  private static final class Block {
    final TimedRequest.Write file;
    final int index;
    final long sizeBytes;
    final long askedNanos;
    final BitSet excluded = new BitSet();
    long placedNanos;
    int[] nodes = NO_NODES;
    Flow flow;

    Block(TimedRequest.Write file, int index, long askedNanos) {
      this.file = file;
      this.index = index;
      this.askedNanos = askedNanos;
      sizeBytes = Math.min(file.blockBytes(), file.sizeBytes() - index * file.blockBytes());
    }
  }

  public BlockWrites(
      EventLoop loop,
      Cluster cluster,
      PlacementPolicy policy,
      Settings settings,
      Consumer<BlockOutcome> whenEnded) {
    this.loop = loop;
    this.cluster = cluster;
    this.policy = policy;
    this.settings = settings;
    this.whenEnded = whenEnded;
    cluster.listen(this::nodeFailed, node -> {});
  }

  /** A client begins a file. */
  public void begin(TimedRequest.Write file) {
    ask(file, 0);
  }

  /** From now on no client asks for another block of a file that has no end. */
  public void endEndless() {
    hasEnded = true;
  }

  /** Blocks asked for and not yet written. */
  public int underWay() {
    return running.size() + waiting.size();
  }

  /** A block is written on nodes that are up, and on no node twice. */
  public Invariant soundReplicas() {
    return () -> fault;
  }

  private void ask(TimedRequest.Write file, int index) {
    boolean writerIsDown = file.writer() != ClusterTopology.NONE && !cluster.isUp(file.writer());
    boolean isOver = hasEnded && file.sizeBytes() == TimedRequest.Write.ENDLESS;
    if (index >= file.blocks() || writerIsDown || isOver) {
      return;
    }
    Block block = new Block(file, index, loop.nowNanos());
    if (settings.decisionIntervalNanos() == 0) {
      place(block);
      return;
    }
    waiting.offer(block, file.blocks() - index);
    if (!dispatchDue) {
      dispatchDue = true;
      long interval = settings.decisionIntervalNanos();
      loop.at((loop.nowNanos() / interval + 1) * interval, this::dispatch);
    }
  }

  private void dispatch() {
    dispatchDue = false;
    waiting.drain().forEach(this::place);
  }

  private void place(Block block) {
    block.placedNanos = loop.nowNanos();
    int[] nodes;
    do {
      nodes =
          policy.place(
              new BlockRequest(
                  block.file.writer(), block.sizeBytes, block.file.replication(), block.excluded));
    } while (excludeUnreachable(block, nodes));
    send(block, nodes, block.sizeBytes);
  }

  /** Whether the client met a node that is down and has to ask again. */
  private boolean excludeUnreachable(Block block, int[] nodes) {
    boolean met = false;
    for (int node : nodes) {
      if (!cluster.isUp(node)) {
        block.excluded.set(node);
        met = true;
      }
    }
    return met;
  }

  private void send(Block block, int[] nodes, double bytes) {
    block.nodes = nodes;
    if (nodes.length == 0) {
      end(block);
      return;
    }
    int[] disks = cluster.nextDisks(nodes);
    Optional<Path> path =
        cluster.links().pipeline(block.file.writer(), nodes, disks, settings.isSourceFree());
    count(block, 1);
    running.add(block);
    if (path.isPresent()) {
      block.flow = cluster.network().start(path.get(), bytes, () -> written(block));
      for (int node : nodes) {
        cluster.blockComes(node, block.flow);
      }
    } else {
      block.flow = null;
      loop.after(0, () -> written(block));
    }
  }

  private void count(Block block, int change) {
    for (int node : block.nodes) {
      cluster.writing(node, change);
    }
  }

  private void leaveNodes(Block block) {
    count(block, -1);
    if (block.flow != null) {
      for (int node : block.nodes) {
        cluster.blockCame(node, block.flow);
      }
    }
  }

  private void written(Block block) {
    running.remove(block);
    leaveNodes(block);
    BitSet holders = new BitSet();
    for (int node : block.nodes) {
      cluster.store(node, block.sizeBytes);
      if (!cluster.isUp(node) || holders.get(node)) {
        fault = "block " + block.index + " of file " + block.file.file() + " on node " + node;
      }
      holders.set(node);
    }
    end(block);
    ask(block.file, block.index + 1);
  }

  private void end(Block block) {
    whenEnded.accept(
        new BlockOutcome(
            block.file.file(),
            block.index,
            block.file.writer(),
            block.sizeBytes,
            block.askedNanos,
            block.placedNanos,
            loop.nowNanos(),
            block.nodes));
  }

  private void nodeFailed(int failed) {
    List<Block> hit = new ArrayList<>();
    for (Block block : running) {
      boolean touched = block.file.writer() == failed || holds(block.nodes, failed);
      if (touched && block.flow != null) {
        hit.add(block);
      }
    }
    hit.forEach(block -> goOnWithout(block, failed));
  }

  private static boolean holds(int[] nodes, int wanted) {
    for (int node : nodes) {
      if (node == wanted) {
        return true;
      }
    }
    return false;
  }

  private void goOnWithout(Block block, int failed) {
    double left = cluster.network().leftBytes(block.flow);
    cluster.network().cancel(block.flow);
    running.remove(block);
    leaveNodes(block);
    block.nodes = without(block.nodes, failed);
    if (block.file.writer() == failed) {
      block.nodes = NO_NODES;
      end(block);
    } else if (block.nodes.length == 0) {
      block.excluded.set(failed);
      place(block);
    } else {
      send(block, block.nodes, Math.max(1, left));
    }
  }

  private static int[] without(int[] nodes, int gone) {
    int[] rest = new int[nodes.length];
    int size = 0;
    for (int node : nodes) {
      if (node != gone) {
        rest[size++] = node;
      }
    }
    return Arrays.copyOf(rest, size);
  }
}
