package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What holds for any files, loads, thresholds and rails. A failure names the seed of its case. */
class ReplicationPropertyTest {
  private static final int CASES = 3000;
  private static final long RESERVE = 100;

  /** One random cluster with files; the same seed gives the same one. */
  private static final class Situation {
    final SplittableRandom dice;
    final int nodes;
    final Servers servers;
    final Thresholds thresholds;
    final GuardRails rails;
    final WorkInHand work;
    final List<Candidate> candidates = new ArrayList<>();

    Situation(long seed) {
      dice = new SplittableRandom(seed);
      int racks = 1 + dice.nextInt(4);
      int perRack = 1 + dice.nextInt(4);
      nodes = racks * perRack;
      Servers.Builder built = Clusters.of(racks, perRack);
      for (int node = 0; node < nodes; node++) {
        built.reads(node, dice.nextInt(14)).freeBytes(node, dice.nextInt(1000));
        if (dice.nextInt(4) == 0) {
          built.role(node, ServerRole.values()[dice.nextInt(3)]);
        }
        if (dice.nextInt(10) == 0) {
          built.failed(node);
        }
      }
      servers = built.build();
      double tau = 2 + dice.nextInt(20);
      double sigma = 2 + dice.nextInt(10);
      thresholds =
          new Thresholds(
              tau,
              tau * (0.2 + 0.79 * dice.nextDouble()),
              sigma,
              sigma * (0.2 + 0.79 * dice.nextDouble()),
              0.25 + dice.nextInt(3) / 4.0,
              0.25 + dice.nextInt(3) / 4.0,
              0.8);
      rails =
          new GuardRails(
              dice.nextInt(10) > 0,
              dice.nextInt(100),
              dice.nextInt(200),
              dice.nextInt(100),
              dice.nextInt(50),
              dice.nextInt(3000),
              dice.nextInt(30),
              1 + dice.nextInt(10),
              1 + dice.nextInt(4));
      work = new WorkInHand(dice.nextInt(1500), dice.nextInt(8), (file, bytes) -> file % 7 != 0);
      for (int file = 0; file < 25; file++) {
        candidates.add(randomFile(file));
      }
    }

    private Candidate randomFile(int id) {
      int factor = 1 + dice.nextInt(Math.min(nodes, 5));
      int own = Math.max(1, factor - dice.nextInt(3));
      int blocks = 1 + dice.nextInt(3);
      int[] holders =
          IntStream.range(0, blocks)
              .flatMap(block -> dice.ints(0, nodes).distinct().limit(factor))
              .skip(dice.nextInt(8) / 7)
              .toArray();
      double[] reads = dice.doubles(holders.length, 0, dice.nextInt(3) * 15 + 1).toArray();
      double sum = 0;
      for (double read : reads) {
        sum += read / blocks;
      }
      long changed = dice.nextInt(3) == 0 ? FileHistory.NEVER : dice.nextInt(300);
      FileState file =
          new FileState(
              id,
              factor,
              holders,
              new FileShape(
                  dice.nextInt(900),
                  blocks,
                  dice.nextInt(300),
                  FileKind.values()[Math.max(0, dice.nextInt(8) - 4)]),
              new FileHistory(own, factor, changed, factor > own ? changed : FileHistory.NEVER),
              new FileRule(dice.nextBoolean() ? 0 : 2, 1, 2 + dice.nextInt(5)));
      return new Candidate(file, new FileReads(sum, sum, reads, reads));
    }

    ReplicationPlan plan() {
      return new ReplicationPlanner(thresholds, rails, RESERVE)
          .plan(candidates, servers, work, 300);
    }
  }

  @Test
  void everyPlanKeepsEveryRail() {
    long first = System.nanoTime();
    System.out.println("rails of a plan, first seed " + first);
    Map<Action, Integer> seen = new EnumMap<>(Action.class);
    for (long seed = first; seed < first + CASES; seed++) {
      Situation in = new Situation(seed);
      ReplicationPlan plan = in.plan();
      check(in, plan, "seed " + seed);
      assertEquals(plan, new Situation(seed).plan(), "seed " + seed);
      plan.changes().forEach(change -> seen.merge(change.action(), 1, Integer::sum));
    }
    for (Action action : List.of(Action.ADD, Action.DELETE, Action.MIGRATE)) {
      assertTrue(seen.getOrDefault(action, 0) > 100, "put to the test " + seen);
    }
  }

  private static void check(Situation in, ReplicationPlan plan, String failed) {
    Map<Long, FileState> files = new HashMap<>();
    in.candidates.forEach(candidate -> files.put(candidate.file().fileId(), candidate.file()));
    assertTrue(plan.changes().size() <= in.rails.changesMax(), failed);
    assertTrue(plan.changes().isEmpty() || in.rails.isOn(), failed);
    long blocks = 0;
    long bytes = 0;
    for (FileChange change : plan.changes()) {
      FileState file = files.remove(change.fileId());
      checkChange(in, file, change, failed);
      int copies =
          Math.max(
              change.action() == Action.MIGRATE ? 1 : 0, change.toFactor() - change.fromFactor());
      blocks += (long) copies * file.shape().blocks();
      int extra = change.toFactor() - Math.max(file.factor(), file.history().ownFactor());
      bytes += Math.max(0, extra) * file.shape().sizeBytes();
    }
    assertEquals(blocks, plan.copies(), failed);
    assertEquals(bytes, plan.extraBytes(), failed);
    assertTrue(blocks == 0 || blocks + in.work.pendingBlocks() <= in.rails.inFlightMax(), failed);
    assertTrue(bytes == 0 || bytes + in.work.extraBytes() <= in.rails.budgetBytes(), failed);
  }

  private static void checkChange(Situation in, FileState file, FileChange change, String failed) {
    assertEquals(FileKind.REPLICATED, file.shape().kind(), failed);
    assertEquals(file.factor() * file.shape().blocks(), file.holders().length, failed);
    assertTrue(
        change.toFactor() >= file.history().ownFactor()
            || change.toFactor() > file.factor()
            || change.action() == Action.MIGRATE
            || file.shape().blocks() <= in.rails.inFlightMax(),
        failed);
    assertTrue(change.toFactor() >= Math.min(file.factor(), file.floor()), failed);
    assertTrue(change.toFactor() <= Math.max(file.factor(), file.rule().maxReplicas()), failed);
    assertEquals(file.factor(), change.fromFactor(), failed);
    int step = change.toFactor() - change.fromFactor();
    switch (change.action()) {
      case ADD -> assertTrue(step >= 1 && step <= in.rails.replicasAtOnce(), failed);
      case DELETE -> assertEquals(-1, step, failed);
      default -> assertEquals(0, step, failed);
    }
    assertTrue(step > 0 || 300 - file.shape().writtenMs() >= in.rails.minAgeMs(), failed);
    long changed = file.history().changedMs();
    long raised = file.history().raisedMs();
    boolean isRaisedAgain = step > 0 && changed == raised;
    long waitMs =
        isRaisedAgain
            ? Math.min(in.rails.raiseAgainMs(), in.rails.coolDownMs())
            : in.rails.coolDownMs();
    assertTrue(changed == FileHistory.NEVER || 300 - changed >= waitMs, failed);
    assertTrue(
        step >= 0 || raised == FileHistory.NEVER || 300 - raised >= in.rails.dwellMs(), failed);
    assertTrue(step <= 0 || change.fileId() % 7 != 0 || file.shape().sizeBytes() == 0, failed);
  }

  /**
   * Under a steady load, shared by the replicas there are, a factor never goes down after it went
   * up, without help of dwell or cool-down.
   */
  @Test
  void underASteadyLoadNoFactorSwings() {
    long first = System.nanoTime();
    System.out.println("no swinging, first seed " + first);
    GuardRails open = new GuardRails(true, 0, 0, 0, 0, Long.MAX_VALUE, 1000, 100, 1);
    int raisedCases = 0;
    for (long seed = first; seed < first + CASES; seed++) {
      Situation in = new Situation(seed);
      Servers busy = allBusy(12);
      ReplicationPlanner planner = new ReplicationPlanner(in.thresholds, open, RESERVE);
      double reads = in.dice.nextDouble() * 150;
      int own = 1 + in.dice.nextInt(4);
      FileHistory history = FileHistory.untouched(own);
      boolean raised = false;
      for (int round = 0; round < 20; round++) {
        int factor = history.setFactor();
        FileState file =
            Files.of(1, history, new FileRule(0, 1, 12), IntStream.range(0, factor).toArray());
        ReplicationPlan plan =
            planner.plan(
                List.of(Files.read(file, reads / factor)),
                busy,
                new WorkInHand(0, 0, SpaceQuota.NONE),
                round);
        for (FileChange change : plan.changes()) {
          assertTrue(change.action() != Action.DELETE || !raised, "seed " + seed);
          raised |= change.action() == Action.ADD;
          history = history.after(change, round);
        }
      }
      raisedCases += raised ? 1 : 0;
    }
    assertTrue(raisedCases > CASES / 4, "factors rose");
  }

  private static Servers allBusy(int nodes) {
    Servers.Builder busy = Clusters.of(1, nodes);
    IntStream.range(0, nodes).forEach(node -> busy.reads(node, 10));
    return busy.build();
  }
}
