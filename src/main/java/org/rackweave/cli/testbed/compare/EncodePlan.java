package org.rackweave.cli.testbed.compare;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.experiment.Seeded;

/**
 * What happens in a run, drawn from its seed alone: every method meets the same.
 *
 * @param seed what it was drawn from
 * @param files that are to be encoded, in the order of their writers
 * @param groups numbers of the files that RR makes a stripe of
 * @param encoders numbers of the DataNodes that encode, in turn
 * @param writes other writes meanwhile, in the order of their times
 * @param schedule which racks are hot when
 */
record EncodePlan(
    long seed,
    List<Source> files,
    List<List<Integer>> groups,
    List<Integer> encoders,
    List<PoissonWrites.Planned> writes,
    HotSchedule schedule) {

  private static final int GAP_MS = 800;

  /** Files of each writer that are copied: one client needs long for all. */
  private static final int COPIED_PER_NODE = 2;

  /**
   * A file to be encoded.
   *
   * @param writer number of the DataNode it is written on
   * @param atMs when, in milliseconds after writing begins
   */
  record Source(String name, int writer, int atMs) {}

  /** The files that are written for a method. */
  List<Source> files(Method method) {
    return method.equals(EncodeExperiment.CP)
        ? files.stream().filter(file -> file.atMs() < COPIED_PER_NODE * GAP_MS).toList()
        : files;
  }

  /**
   * Draws a plan.
   *
   * @param racks racks of the testbed
   * @param nodes DataNodes of the testbed, numbered rack by rack
   */
  static EncodePlan draw(EncodeSettings settings, int racks, int nodes, long seed) {
    Random random = Seeded.random(seed);
    List<Source> files = new ArrayList<>();
    for (int writer = 0; writer < nodes; writer++) {
      for (int i = 0; i < settings.filesPerNode(); i++) {
        files.add(new Source(writer + "-" + i, writer, i * GAP_MS));
      }
    }
    List<Integer> order = shuffled(files.size(), random);
    int k = EncodeSettings.CODE.dataBlocks();
    List<List<Integer>> groups = new ArrayList<>();
    for (int from = 0; from + k <= order.size(); from += k) {
      groups.add(List.copyOf(order.subList(from, from + k)));
    }
    int nodesPerRack = nodes / racks;
    PoissonWrites process =
        new PoissonWrites(settings.writesPerSec(), 0, EncodeSettings.LONGEST_MS);
    return new EncodePlan(
        seed,
        List.copyOf(files),
        List.copyOf(groups),
        shuffled(nodes, random),
        process.draw(random, nodes, node -> node % nodesPerRack == 0),
        HotSchedule.draw(
            seed,
            racks,
            settings.hotRacks(),
            settings.hotPeriodMs(),
            EncodeSettings.LONGEST_MS / settings.hotPeriodMs()));
  }

  private static List<Integer> shuffled(int count, Random random) {
    List<Integer> numbers = new ArrayList<>(IntStream.range(0, count).boxed().toList());
    Collections.shuffle(numbers, random);
    return List.copyOf(numbers);
  }
}
