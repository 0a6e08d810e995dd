package org.rackweave.cli.testbed.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.experiment.Seeded;

/**
 * A recovery, drawn from its seed alone: who is killed, what it holds and where the other copies
 * are, who writes meanwhile and which racks are hot. DataNodes and racks are numbered from 0, rack
 * by rack.
 *
 * @param victim the DataNode that is killed
 * @param filled what it holds
 * @param writes the foreground load
 * @param schedule which racks are hot when
 */
record RecoveryPlan(
    long seed,
    int victim,
    List<Filled> filled,
    List<PoissonWrites.Planned> writes,
    HotSchedule schedule) {

  /** Share of a link that filling takes, so that no write waits for another. */
  private static final double FILL_SHARE = 0.8;

  /**
   * A block of the victim. One copy is there, the others in one other rack, as stock HDFS spreads
   * three.
   *
   * @param writer who writes it: the victim, or the first of the others; in turns, as what leaves
   *     the victim's rack and what enters it are two links
   * @param atMs when, in milliseconds after filling begins
   * @param replicas where it has to be, the writer first
   */
  record Filled(int number, int writer, long atMs, List<Integer> replicas) {}

  /**
   * Draws a plan.
   *
   * @param nodesPerRack DataNodes of every rack, at least 2
   * @param uplinkBytesPerSec speed of a rack's link to the core
   */
  static RecoveryPlan draw(
      RecoverySettings settings, int racks, int nodesPerRack, long uplinkBytesPerSec, long seed) {
    Random random = Seeded.random(seed);
    int victim = random.nextInt(racks * nodesPerRack);
    double blockMs = 1000.0 * settings.blockBytes() / (FILL_SHARE * uplinkBytesPerSec);
    List<Filled> filled = new ArrayList<>();
    for (int i = 0; i < settings.blocks(); i++) {
      int rack = random.nextInt(racks - 1);
      rack += rack >= victim / nodesPerRack ? 1 : 0;
      int first = random.nextInt(nodesPerRack);
      int second = (first + 1 + random.nextInt(nodesPerRack - 1)) % nodesPerRack;
      int one = rack * nodesPerRack + first;
      int other = rack * nodesPerRack + second;
      boolean fromVictim = i % 2 == 0;
      List<Integer> replicas =
          fromVictim ? List.of(victim, one, other) : List.of(one, other, victim);
      filled.add(new Filled(i, replicas.get(0), (long) (i / 2 * blockMs), replicas));
    }
    int endMs = settings.killAtMs() + RecoverySettings.LONGEST_MS;
    PoissonWrites process = new PoissonWrites(settings.writesPerSec(), 0, endMs);
    HotSchedule schedule =
        HotSchedule.draw(
            seed,
            racks,
            settings.hotRacks(),
            settings.hotPeriodMs(),
            endMs / settings.hotPeriodMs() + 1);
    return new RecoveryPlan(
        seed,
        victim,
        List.copyOf(filled),
        process.draw(random, racks * nodesPerRack, writer -> writer != victim),
        schedule);
  }
}
