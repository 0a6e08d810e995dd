package org.rackweave.sim.traffic;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.cluster.Cluster;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.network.Flow;
import org.rackweave.sim.network.Path;
import org.rackweave.sim.workload.TimedRequest;

/**
 * Clients that read files, block after block, each from the nearest replica as HDFS orders them:
 * the reader's own node, one in its rack, any other; among equals one at random. A node serves so
 * many reads at a time, others wait in the order of their arrival.
 *
 * <p>When the node fails, the client reads the block anew from another; when the reader fails, the
 * read ends there.
 */
public final class BlockReads {
  private final EventLoop loop;
  private final Cluster cluster;
  private final StoredBlocks stored;
  private final int[] slots;
  private final SplittableRandom random;
  private final Consumer<ReadOutcome> whenEnded;
  private final Map<Integer, Deque<Reading>> queues = new HashMap<>();
  private final Set<Reading> underWay = new LinkedHashSet<>();

  /** One block on its way to a client. */
  private static final class Reading {
    final TimedRequest.Read request;
    final int block;
    final long sizeBytes;
    final long askedNanos;
    int holder = ClusterTopology.NONE;

    /** Null while it waits in the holder's queue, and for a read from memory. */
    Flow flow;

    boolean isServed;

    Reading(TimedRequest.Read request, int block, long sizeBytes, long askedNanos) {
      this.request = request;
      this.block = block;
      this.sizeBytes = sizeBytes;
      this.askedNanos = askedNanos;
    }
  }

  /**
   * @param slots reads that each node serves at a time, at least 1 each
   */
  public BlockReads(
      EventLoop loop,
      Cluster cluster,
      StoredBlocks stored,
      int[] slots,
      SplittableRandom random,
      Consumer<ReadOutcome> whenEnded) {
    this.loop = loop;
    this.cluster = cluster;
    this.stored = stored;
    this.slots = slots.clone();
    this.random = random;
    this.whenEnded = whenEnded;
    cluster.listen(this::nodeFailed, node -> {});
  }

  /** A client begins to read a file; there is nothing to read in one that is gone. */
  public void begin(TimedRequest.Read request) {
    ask(request, 0);
  }

  /** Blocks asked for and not yet read. */
  public int underWay() {
    return underWay.size();
  }

  private void ask(TimedRequest.Read request, int block) {
    int reader = request.reader();
    boolean readerIsDown = reader != ClusterTopology.NONE && !cluster.isUp(reader);
    if (block >= stored.count(request.file()) || readerIsDown) {
      return;
    }
    long sizeBytes = stored.sizeOf(request.file(), block);
    Reading reading = new Reading(request, block, sizeBytes, loop.nowNanos());
    underWay.add(reading);
    seek(reading);
  }

  private void seek(Reading reading) {
    reading.holder = nearest(reading);
    if (reading.holder == ClusterTopology.NONE) {
      end(reading);
    } else if (cluster.readers(reading.holder) < slots[reading.holder]) {
      serve(reading);
    } else {
      queues.computeIfAbsent(reading.holder, node -> new ArrayDeque<>()).add(reading);
    }
  }

  private int nearest(Reading reading) {
    int[] nodes = stored.nodesOf(reading.request.file(), reading.block);
    int reader = reading.request.reader();
    if (reader != ClusterTopology.NONE) {
      int rack = cluster.topology().rackOf(reader);
      int near = oneOf(nodes, node -> node == reader);
      near =
          near == ClusterTopology.NONE
              ? oneOf(nodes, node -> cluster.topology().rackOf(node) == rack)
              : near;
      if (near != ClusterTopology.NONE) {
        return near;
      }
    }
    return oneOf(nodes, node -> true);
  }

  /** One of the nodes that are up, each as likely. */
  private int oneOf(int[] nodes, IntPredicate wanted) {
    int chosen = ClusterTopology.NONE;
    int seen = 0;
    for (int node : nodes) {
      if (cluster.isUp(node) && wanted.test(node) && random.nextInt(++seen) == 0) {
        chosen = node;
      }
    }
    return chosen;
  }

  private void serve(Reading reading) {
    int holder = reading.holder;
    reading.isServed = true;
    cluster.reading(holder, 1);
    Optional<Path> path =
        cluster.links().read(holder, cluster.nextReadDisk(holder), reading.request.reader());
    if (path.isPresent()) {
      reading.flow = cluster.network().start(path.get(), reading.sizeBytes, () -> arrived(reading));
    } else {
      loop.after(0, () -> arrived(reading));
    }
  }

  private void arrived(Reading reading) {
    if (!underWay.contains(reading)) {
      return;
    }
    release(reading);
    end(reading);
    ask(reading.request, reading.block + 1);
  }

  /** Gives the slot to the next in the queue. */
  private void release(Reading reading) {
    reading.isServed = false;
    reading.flow = null;
    cluster.reading(reading.holder, -1);
    Deque<Reading> queue = queues.get(reading.holder);
    Reading next = queue == null ? null : queue.poll();
    if (next != null) {
      serve(next);
    }
  }

  private void end(Reading reading) {
    underWay.remove(reading);
    whenEnded.accept(
        new ReadOutcome(
            reading.request.file(),
            reading.block,
            reading.request.reader(),
            reading.holder,
            reading.sizeBytes,
            reading.askedNanos,
            loop.nowNanos()));
  }

  private void nodeFailed(int failed) {
    List<Reading> ofReader = new ArrayList<>();
    List<Reading> fromHolder = new ArrayList<>();
    for (Reading reading : underWay) {
      if (reading.request.reader() == failed) {
        ofReader.add(reading);
      } else if (reading.holder == failed) {
        fromHolder.add(reading);
      }
    }
    // The queue of a node that is gone serves nobody; its readers look elsewhere below.
    queues.remove(failed);
    ofReader.forEach(this::giveUp);
    fromHolder.forEach(
        reading -> {
          stop(reading);
          seek(reading);
        });
  }

  private void giveUp(Reading reading) {
    stop(reading);
    reading.holder = ClusterTopology.NONE;
    end(reading);
  }

  private void stop(Reading reading) {
    if (reading.flow != null) {
      cluster.network().cancel(reading.flow);
    }
    if (reading.isServed) {
      release(reading);
    } else if (queues.containsKey(reading.holder)) {
      queues.get(reading.holder).remove(reading);
    }
  }
}
