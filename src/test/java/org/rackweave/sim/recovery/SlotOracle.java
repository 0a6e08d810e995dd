package org.rackweave.sim.recovery;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.rackweave.dayu.CopyProgress;
import org.rackweave.dayu.DayuSettings;
import org.rackweave.dayu.RecoveryBatch;
import org.rackweave.dayu.RecoveryPlan;
import org.rackweave.dayu.RecoveryPlanner;
import org.rackweave.dayu.RecoverySnapshot;
import org.rackweave.dayu.Timeslot;
import org.rackweave.dayu.Verdict;
import org.rackweave.sim.scenario.PolicySpec;
import org.rackweave.sim.scenario.RecoverySpec;
import org.rackweave.sim.workload.LostChunks;
import org.rackweave.sim.workload.TimedRequest;

/**
 * A recovery slot by slot as one would first write it down: lists, no steps, everything worked out
 * anew at everything that happens. For a handful of nodes, and a time between plans that a slot is
 * a multiple of. What a plan is told of a copy while slots overlap is {@link CopyProgress}'s, which
 * has tests of its own.
 */
final class SlotOracle {
  private static final double SLOT = 15;

  private static final class Chunk {
    long bytes;
    int[] holders;
    int from = -1;
    int to = -1;
    double left;
    double limit;
    double beganSec;
    double leftAtPlan;
    CopyProgress progress;
    double endedSec = Double.NaN;

    boolean isUnderWay() {
      return to >= 0 && Double.isNaN(endedSec);
    }
  }

  private final RecoveryLinks links;
  private final RecoverySpec spec;
  private final List<TimedRequest> loads;
  private final PolicySpec.Dayu policy;
  private final SplittableRandom random;
  private final List<Chunk> chunks = new ArrayList<>();
  private final double replan;

  SlotOracle(
      RecoveryLinks links,
      RecoverySpec spec,
      List<TimedRequest> loads,
      LostChunks lost,
      PolicySpec.Dayu policy,
      SplittableRandom random) {
    this.links = links;
    this.spec = spec;
    this.loads = loads;
    this.policy = policy;
    this.random = random;
    replan = spec.replanMs() / 1e3;
    for (LostChunks.Lost one : lost.chunks().toList()) {
      Chunk chunk = new Chunk();
      chunk.bytes = one.sizeBytes();
      chunk.holders = new int[] {one.holderA(), one.holderB()};
      chunks.add(chunk);
    }
  }

  /** When the last chunk is there again, seconds after the failure; NaN when it never is. */
  double run(int slotsMax) {
    double schedule = policy.planningTimeMs() / 1e3;
    double carriedOut = 0;
    RecoveryPlanner planner =
        new RecoveryPlanner(
            new DayuSettings(
                policy.algorithm(),
                policy.rates(),
                policy.stragglers(),
                policy.beta(),
                policy.bucketBytesPerSec(),
                policy.aim()));
    double now = 0;
    double next = 0;
    boolean early = false;
    while (now < slotsMax * SLOT) {
      List<Chunk> tasks = chunks.stream().filter(one -> Double.isNaN(one.endedSec)).toList();
      if (tasks.isEmpty()) {
        return chunks.stream().mapToDouble(one -> one.endedSec).max().orElse(0);
      }
      next = early ? next : now + replan;
      double ahead = replan < SLOT ? SLOT : next - now;
      RecoveryPlan plan =
          planner.plan(
              snapshot(reported(now)),
              batch(tasks, now, carriedOut, early),
              new Timeslot(ahead, Math.min(schedule, ahead), 0, next - now),
              random);
      pass(now, now + schedule);
      now += schedule;
      carryOut(plan, tasks, now);
      carriedOut = now;
      early = replan == SLOT && now + plan.aimSec() + schedule < next;
      double until = early ? now + plan.aimSec() : next;
      pass(now, until);
      now = until;
    }
    return Double.NaN;
  }

  /** The moving average of what was reported until now, from a slot before the failure on. */
  private double[] reported(double now) {
    double[] average = null;
    int last = (int) Math.floor(now / replan + 1e-9);
    for (int report = 1 - (int) (SLOT / replan); report <= last; report++) {
      double middle = (report - 0.5) * replan;
      double[] one = loadsAt(1 + (int) Math.floor(middle / SLOT));
      double weight = average == null ? 1 : spec.reportWeight();
      for (int link = 0; link < one.length && weight < 1; link++) {
        one[link] = weight * one[link] + (1 - weight) * average[link];
      }
      average = one;
    }
    return average;
  }

  /** Foreground of a slot; that of the one before the failure is the first. */
  private double[] loadsAt(int index) {
    double[] sums = new double[links.count()];
    for (TimedRequest request : loads) {
      if (request instanceof TimedRequest.NodeLoad load
          && load.atNanos() == index * 15_000_000_000L) {
        links.addForeground(sums, load.node(), load.inBytesPerSec(), load.outBytesPerSec());
      }
    }
    return sums;
  }

  private RecoverySnapshot snapshot(double[] foreground) {
    int nodes = links.topology().nodeCount();
    RecoverySnapshot.Builder builder =
        new RecoverySnapshot.Builder(links.topology(), 1)
            .freeEverywhere(0, 1L << 60)
            .accepts(links.failed(), false);
    for (int node = 0; node < nodes; node++) {
      if (node != links.failed()) {
        builder.node(
            node,
            spec.bandwidth().of(100e6, foreground[nodes + node]),
            spec.bandwidth().of(100e6, foreground[node]));
      }
    }
    for (int rack = 0; rack < links.topology().rackCount() && links.racksNarrow(); rack++) {
      int in = links.rackIn(rack);
      int out = links.rackOut(rack);
      builder.rack(rack, links.allowed(in, foreground[in]), links.allowed(out, foreground[out]));
    }
    return builder.build();
  }

  private RecoveryBatch batch(List<Chunk> tasks, double now, double carriedOut, boolean early) {
    RecoveryBatch.Builder builder = new RecoveryBatch.Builder(links.topology().nodeCount());
    for (Chunk chunk : tasks) {
      builder.task(chunk.bytes, 0).sources(chunk.holders);
      long done = Math.round(Math.max(0, chunk.bytes - chunk.left));
      if (chunk.isUnderWay() && replan < SLOT) {
        chunk.progress = chunk.progress.with(done, ms(now));
        chunk.progress.addTo(builder, chunk.from, chunk.to, ms(now), true);
      } else if (chunk.isUnderWay()) {
        builder
            .running(chunk.from, chunk.to, done, now - chunk.beganSec)
            .speed((chunk.leftAtPlan - chunk.left) / (now - carriedOut));
        if (early) {
          builder.overdue();
        }
      }
    }
    return builder.build();
  }

  private static long ms(double sec) {
    return Math.round(sec * 1000);
  }

  private void carryOut(RecoveryPlan plan, List<Chunk> tasks, double now) {
    for (int task = 0; task < tasks.size(); task++) {
      Chunk chunk = tasks.get(task);
      if (!Double.isNaN(chunk.endedSec)) {
        continue;
      }
      Verdict verdict = plan.verdict(task);
      if (verdict == Verdict.PLANNED || verdict == Verdict.RESTARTED) {
        chunk.from = plan.source(task);
        chunk.to = plan.destination(task);
        chunk.left = chunk.bytes;
        chunk.limit = plan.rateBytesPerSec(task);
        chunk.beganSec = now;
        chunk.progress = CopyProgress.ordered(chunk.bytes, chunk.limit, ms(now));
      } else if (verdict == Verdict.RESOURCED
          || verdict == Verdict.KEPT
              && (policy.stragglers() != DayuSettings.Stragglers.KEEP || replan < SLOT)) {
        chunk.from = plan.source(task);
        chunk.limit = plan.rateBytesPerSec(task);
        chunk.progress = chunk.progress.at(chunk.limit, ms(now));
      } else if (chunk.isUnderWay() && verdict != Verdict.FINISHING && verdict != Verdict.KEPT) {
        chunk.limit = 0;
        chunk.progress = chunk.progress.at(0, ms(now));
      }
      chunk.leftAtPlan = chunk.left;
    }
  }

  private void pass(double from, double until) {
    double now = from;
    while (now < until) {
      int slot = (int) (now / SLOT);
      double[] foreground = loadsAt(slot + 1);
      double to = Math.min(until, (slot + 1) * SLOT);
      List<Chunk> open = chunks.stream().filter(Chunk::isUnderWay).toList();
      double[] rates = rates(open, foreground);
      double soonest = to - now;
      for (int i = 0; i < rates.length; i++) {
        soonest = Math.min(soonest, open.get(i).left / rates[i]);
      }
      now = Math.min(to, now + Math.max(soonest, 1e-9));
      for (int i = 0; i < rates.length; i++) {
        Chunk chunk = open.get(i);
        chunk.left -= rates[i] * soonest;
        if (chunk.left <= 0.06) {
          chunk.endedSec = now;
        }
      }
    }
  }

  private double[] rates(List<Chunk> open, double[] foreground) {
    double[] capacities = new double[links.count()];
    for (int link = 0; link < capacities.length; link++) {
      double wanted = 0;
      for (Chunk chunk : open) {
        wanted += uses(chunk, link) ? chunk.limit : 0;
      }
      capacities[link] = links.left(link, foreground[link], wanted, spec.contention());
    }
    double[] rates = new double[open.size()];
    boolean[] done = new boolean[rates.length];
    while (true) {
      double more = Double.POSITIVE_INFINITY;
      for (int i = 0; i < rates.length; i++) {
        more = done[i] ? more : Math.min(more, open.get(i).limit - rates[i]);
      }
      for (int link = 0; link < capacities.length; link++) {
        double used = 0;
        int sharing = 0;
        for (int i = 0; i < rates.length; i++) {
          used += uses(open.get(i), link) ? rates[i] : 0;
          sharing += !done[i] && uses(open.get(i), link) ? 1 : 0;
        }
        more = sharing > 0 ? Math.min(more, Math.max(0, capacities[link] - used) / sharing) : more;
      }
      if (more == Double.POSITIVE_INFINITY) {
        return rates;
      }
      for (int i = 0; i < rates.length; i++) {
        rates[i] += done[i] ? 0 : more;
      }
      boolean[] full = new boolean[capacities.length];
      for (int link = 0; link < full.length; link++) {
        double used = 0;
        for (int i = 0; i < rates.length; i++) {
          used += uses(open.get(i), link) ? rates[i] : 0;
        }
        full[link] = used >= capacities[link] - 1e-3;
      }
      for (int i = 0; i < rates.length; i++) {
        Chunk chunk = open.get(i);
        done[i] |= rates[i] >= chunk.limit - 1e-6;
        for (int link = 0; link < full.length; link++) {
          done[i] |= full[link] && uses(chunk, link);
        }
      }
    }
  }

  private boolean uses(Chunk chunk, int link) {
    int fromRack = links.topology().rackOf(chunk.from);
    int toRack = links.topology().rackOf(chunk.to);
    boolean crosses = links.racksNarrow() && fromRack != toRack;
    int[] path = {
      links.out(chunk.from),
      links.in(chunk.to),
      crosses ? links.rackOut(fromRack) : -1,
      crosses ? links.rackIn(toRack) : -1
    };
    return Arrays.stream(path).anyMatch(one -> one == link);
  }
}
