package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.cli.testbed.compare.worker.Task;

/**
 * Blocks that a DataNode holds before it is killed, drawn from a seed. One copy of each is there,
 * the others in one other rack, as stock HDFS spreads three.
 *
 * @param victim number of the DataNode
 * @param blocks what it holds
 * @param blockBytes size of each
 */
record Filling(int victim, List<Filled> blocks, long blockBytes) {
  private static final int REPLICATION = 3;
  private static final long SECONDS = 240;
  private static final int ROUNDS = 3;

  /** Share of a link that filling takes, so that no write waits for another. */
  private static final double LINK_SHARE = 0.8;

  /**
   * A block.
   *
   * @param atMs when it is written, in milliseconds after filling begins
   * @param replicas where it has to be, the writer first: the victim, or the first of the others;
   *     in turns, as what leaves the victim's rack and what enters it are two links
   */
  record Filled(int number, long atMs, List<Integer> replicas) {}

  /**
   * Draws who is filled with what.
   *
   * @param nodesPerRack DataNodes of every rack, at least 2
   * @param uplinkBytesPerSec speed of a rack's link to the core
   */
  static Filling draw(
      Random random, int racks, int nodesPerRack, long uplinkBytesPerSec, int count, long bytes) {
    int victim = random.nextInt(racks * nodesPerRack);
    double blockMs = 1000.0 * bytes / (LINK_SHARE * uplinkBytesPerSec);
    List<Filled> filled = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<Integer> its = replicas(random, victim, racks, nodesPerRack);
      filled.add(
          new Filled(
              i,
              (long) (i / 2 * blockMs),
              i % 2 == 0 ? its : List.of(its.get(1), its.get(2), victim)));
    }
    return new Filling(victim, List.copyOf(filled), bytes);
  }

  /** A DataNode and two of one other rack, as stock HDFS spreads three replicas. */
  static List<Integer> replicas(Random random, int first, int racks, int nodesPerRack) {
    int rack = random.nextInt(racks - 1);
    rack += rack >= first / nodesPerRack ? 1 : 0;
    int second = random.nextInt(nodesPerRack);
    int third = (second + 1 + random.nextInt(nodesPerRack - 1)) % nodesPerRack;
    return List.of(first, rack * nodesPerRack + second, rack * nodesPerRack + third);
  }

  /**
   * Has them written, by stock placement, and those again that came to lie elsewhere: what is asked
   * for is only a hint to the NameNode.
   *
   * @throws IOException if some do not get there
   */
  void write(Session session, String directory) throws IOException, InterruptedException {
    session.testbed().usePolicy(TestbedPolicy.STOCK);
    session.files().makeDirectory(directory);
    session.progress().update("filling " + session.layout().dataNodes().get(victim).name());
    List<Filled> left = blocks;
    for (int round = 0; round < ROUNDS && !left.isEmpty(); round++) {
      session.perform(tasks(session.layout(), directory, left), SECONDS);
      left = elsewhere(session.files(), directory);
    }
    if (!left.isEmpty()) {
      throw new IOException(
          "The DataNode to be killed lacks "
              + left.size()
              + " of "
              + blocks.size()
              + " blocks that were written to it in each of "
              + ROUNDS
              + " rounds");
    }
  }

  private HostTasks tasks(Layout layout, String directory, List<Filled> some) {
    HostTasks tasks = new HostTasks(layout);
    for (Filled block : some) {
      tasks.add(
          block.replicas().get(0),
          new Task.Write(
              "fill-" + block.number(),
              block.atMs() - some.get(0).atMs(),
              path(directory, block),
              blockBytes,
              blockBytes,
              layout.addresses(block.replicas())));
    }
    return tasks;
  }

  private static String path(String directory, Filled block) {
    return directory + "/" + block.number();
  }

  /**
   * Blocks that lie elsewhere, and are deleted. A file is complete when one DataNode has told of
   * its block; others do so later.
   */
  private List<Filled> elsewhere(ClusterFiles files, String directory)
      throws IOException, InterruptedException {
    files.awaitReplicas(directory, REPLICATION, SECONDS);
    Set<String> there = new HashSet<>();
    for (ClusterFiles.Stored file : files.list(directory)) {
      if (file.replicas().contains(victim)) {
        there.add(file.path());
      }
    }
    List<Filled> elsewhere =
        blocks.stream().filter(block -> !there.contains(path(directory, block))).toList();
    for (Filled block : elsewhere) {
      files.delete(path(directory, block));
    }
    return elsewhere;
  }
}
