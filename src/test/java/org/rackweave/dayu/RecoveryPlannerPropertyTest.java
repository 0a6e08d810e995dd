package org.rackweave.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds of every plan, on small random cases. */
class RecoveryPlannerPropertyTest {
  private static final int CASES = 3_000;
  private static final Set<Algorithm> GREEDY =
      EnumSet.of(Algorithm.DAYU, Algorithm.HULL, Algorithm.G1, Algorithm.G2);

  private static void forEachSeed(int cases, Consumer<SplittableRandom> test) {
    for (long seed = 0; seed < cases; seed++) {
      try {
        test.accept(new SplittableRandom(seed));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void keepsToRulesAndBandwidthWhateverTheInput(Algorithm algorithm) {
    DayuSettings settings = DayuSettings.DEFAULT.with(algorithm).withBeta(0.2);
    forEachSeed(
        CASES,
        random -> {
          Clusters.Case what = Clusters.draw(random, Clusters.Mix.ALL);
          for (DayuSettings.Stragglers how : DayuSettings.Stragglers.values()) {
            for (DayuSettings.Rates rates : DayuSettings.Rates.values()) {
              new PlanAudit(what, what.plan(settings.with(how).with(rates), random)).check();
            }
          }
        });
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void fillsNoLinkBeyondTheSlotUnlessNodesAreDrawn(Algorithm algorithm) {
    DayuSettings settings = DayuSettings.DEFAULT.with(algorithm).withBeta(0.2);
    forEachSeed(
        CASES,
        random -> {
          Clusters.Case what = Clusters.draw(random, Clusters.Mix.ALL.without(true));
          PlanAudit audit = new PlanAudit(what, what.plan(settings, random));
          audit.check();
          if (GREEDY.contains(algorithm)) {
            audit.checkSlot();
            audit.checkNothingMoreFits();
          }
        });
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void lowerPrioritiesChangeNothingForHigherOnes(Algorithm algorithm) {
    DayuSettings settings = DayuSettings.DEFAULT.with(algorithm).withBeta(0);
    Clusters.Mix mix = new Clusters.Mix(1, 3, true, false);
    forEachSeed(
        CASES,
        random -> {
          Clusters.Case all = Clusters.draw(random, mix);
          RecoveryPlan plan = all.plan(settings, new SplittableRandom(1));
          for (int priority = 0; priority < 3; priority++) {
            Clusters.Case first = upTo(priority, all);
            RecoveryPlan alone = first.plan(settings, new SplittableRandom(1));
            int i = 0;
            for (int task = 0; task < all.batch().count(); task++) {
              if (all.batch().priority(task) <= priority) {
                assertEquals(alone.verdict(i), plan.verdict(task), "task " + task);
                assertEquals(alone.source(i), plan.source(task), "task " + task);
                assertEquals(alone.destination(i), plan.destination(task), "task " + task);
                i++;
              }
            }
          }
        });
  }

  private static Clusters.Case upTo(int priority, Clusters.Case all) {
    RecoveryBatch batch = all.batch();
    RecoveryBatch.Builder builder = new RecoveryBatch.Builder(batch.nodeCount());
    for (int task = 0; task < batch.count(); task++) {
      if (batch.priority(task) <= priority) {
        int sources = batch.standingFrom(task) - batch.firstNode(task);
        int standing = batch.barredFrom(task) - batch.firstNode(task);
        int[] nodes = batch.nodes(task);
        builder
            .task(batch.sizeBytes(task), batch.priority(task))
            .storageType(batch.storageType(task))
            .spread(batch.spread(task))
            .sources(java.util.Arrays.copyOf(nodes, sources))
            .standing(java.util.Arrays.copyOfRange(nodes, sources, standing))
            .barred(java.util.Arrays.copyOfRange(nodes, standing, nodes.length));
      }
    }
    return new Clusters.Case(all.snapshot(), builder.build(), all.slot());
  }

  @Test
  void givesTheSamePlanForTheSameInputAndLeavesItAsItWas() {
    for (Algorithm algorithm : Algorithm.values()) {
      DayuSettings settings = DayuSettings.DEFAULT.with(algorithm);
      forEachSeed(
          300,
          random -> {
            Clusters.Case what = Clusters.draw(random, Clusters.Mix.ALL);
            String once = PlanAudit.text(what.plan(settings, new SplittableRandom(7)));
            assertEquals(once, PlanAudit.text(what.plan(settings, new SplittableRandom(7))));
          });
    }
  }
}
