package org.rackweave.sim.recovery;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.rackweave.sim.engine.ProgressListener;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.scenario.PolicySpec;
import org.rackweave.sim.scenario.RecoverySpec;
import org.rackweave.sim.workload.LostChunks;
import org.rackweave.sim.workload.TimedRequest;

/**
 * One recovery, slot by slot (section 3, figure 2), or with slots that overlap.
 *
 * <p>A node fails when a report has just come in; the foreground has run for one slot before. With
 * each report the planner plans; the plan begins when it is ready, and until then the one before
 * goes on, so slots overlap. A planner that takes longer than a slot plans with the next report
 * after it is done. Where a plan's copies should all be done before the next report and are not, it
 * plans for those at once, on the reports it has.
 *
 * <p>Where reports come, and plans are made, more often than slots begin, it is the NameNode's way:
 * every plan looks one slot ahead, knows at what rates copies under way are to go and which should
 * be done by now, and gives links that have become free more to do.
 *
 * <p>Made, run and thrown away; single-threaded.
 */
public final class Recovery implements CopyFlows.Listener {
  private static final double ROUNDING = 1e-6;

  private final RecoveryLinks links;
  private final RecoverySpec spec;
  private final Supplier<Stream<TimedRequest>> loads;
  private final Foreground foreground;
  private final RecoveryScheduler scheduler;
  private final CopyFlows flows;
  private final ChunkCopies copies;
  private final OverloadMeter meter;
  private final double slotSec;
  private final double replanSec;
  private final List<Double> planWorkSec = new ArrayList<>();
  private double[] reported;
  private double nextReportSec;
  private double lastEndSec;
  private double movedBytes;
  private long steps;

  /**
   * @param loads the foreground, from its beginning each time it is asked for
   * @param lost what the failed node held
   */
  public Recovery(
      RecoveryLinks links,
      RecoverySpec spec,
      Supplier<Stream<TimedRequest>> loads,
      LostChunks lost,
      Deciding deciding) {
    this(links, spec, loads, lost, deciding, Double.NaN);
  }

  /**
   * @param stepSec in place of the scheduler's, NaN for that; 0 is exact
   */
  Recovery(
      RecoveryLinks links,
      RecoverySpec spec,
      Supplier<Stream<TimedRequest>> loads,
      LostChunks lost,
      Deciding deciding,
      double stepSec) {
    this.links = links;
    this.spec = spec;
    this.loads = loads;
    slotSec = spec.slotMs() / 1e3;
    replanSec = spec.replanMs() / 1e3;
    foreground = new Foreground(links, loads.get());
    scheduler = deciding.scheduler(links);
    double step = Double.isNaN(stepSec) ? scheduler.stepSec() : stepSec;
    flows = new CopyFlows(links, this::capacity, lost.count(), step);
    copies = new ChunkCopies(lost, spec.endless(), links.topology().nodeCount(), flows);
    meter = new OverloadMeter(links);
  }

  /**
   * Who decides, with what luck, and how long that takes.
   *
   * @param clockNanos of the planner's work, where that is asked for
   */
  public record Deciding(PolicySpec policy, SplittableRandom random, LongSupplier clockNanos) {
    RecoveryScheduler scheduler(RecoveryLinks links) {
      if (policy instanceof PolicySpec.Pangu pangu) {
        return new FixedRateScheduler(links, pangu.limitBytesPerSec(), random);
      }
      return new SlotScheduler((PolicySpec.Dayu) policy, random, clockNanos);
    }
  }

  /**
   * Runs from the failure to the end; once.
   *
   * @param endSec when to stop at the latest, after the failure
   */
  public RecoveryOutcome run(double endSec, ProgressListener progress) {
    listenForASlot();
    double now = 0;
    double next = 0;
    double slotEnd = 0;
    boolean early = false;
    while (now < endSec && !copies.isComplete()) {
      if (!early) {
        next = now + replanSec;
      }
      RecoveryScheduler.Planned planned =
          scheduler.plan(
              links.snapshot(reported),
              copies.batch(now, told(early)),
              overlaps() ? slotSec : next - now,
              overlaps() ? replanSec : next - now);
      planWorkSec.add(planned.workSec());
      next = Math.max(next, now + planned.readySec());
      now = advance(now, Math.min(endSec, now + planned.readySec()), progress);
      if (now < endSec && !copies.isComplete()) {
        if (!overlaps() || now >= slotEnd) {
          meter.endSlot();
          slotEnd = now + slotSec;
        }
        copies.carryOut(planned.plan(), rates(), now);
        double overdue = now + planned.plan().aimSec();
        early = !overlaps() && overdue + planned.readySec() < next;
        double until = scheduler.plansEverySlot() ? early ? overdue : next : endSec;
        now = advance(now, Math.min(endSec, until), progress);
      }
    }
    meter.endSlot();
    foreground.close();
    return outcome(now);
  }

  private boolean overlaps() {
    return replanSec < slotSec;
  }

  /** The NameNode's plans give every copy a rate, whatever becomes of stragglers. */
  private ChunkCopies.Rates rates() {
    ChunkCopies.Rates rates = scheduler.rates();
    return overlaps() && rates == ChunkCopies.Rates.KEPT ? ChunkCopies.Rates.PLANNED : rates;
  }

  private ChunkCopies.Told told(boolean early) {
    if (overlaps()) {
      return ChunkCopies.Told.PROGRESS;
    }
    return early ? ChunkCopies.Told.OVERDUE : ChunkCopies.Told.ON_TIME;
  }

  /** The reports of the slot before the failure, the last of them as the node fails. */
  private void listenForASlot() {
    for (int later = (int) (slotSec / replanSec) - 1; later >= 0; later--) {
      foreground.advanceTo(slotSec - later * replanSec);
      takeReport();
    }
    nextReportSec = replanSec;
  }

  private double advance(double from, double to, ProgressListener progress) {
    double now = from;
    while (now < to && !copies.isComplete()) {
      double change = foreground.nextChangeSec() - slotSec;
      double until = Math.min(to, Math.min(change, nextReportSec));
      now = until > now ? flows.advance(now, until, this) : now;
      foreground.advanceTo(now >= change ? foreground.nextChangeSec() : slotSec + now);
      if (now >= nextReportSec) {
        takeReport();
      }
      progress.at(SimTime.ofSeconds(now), ++steps);
    }
    return now;
  }

  private void takeReport() {
    double[] latest = foreground.report();
    double weight = reported == null ? 1 : spec.reportWeight();
    for (int link = 0; link < latest.length && weight < 1; link++) {
      latest[link] = weight * latest[link] + (1 - weight) * reported[link];
    }
    reported = latest;
    nextReportSec += replanSec;
  }

  private double capacity(int link, double wanted) {
    double limit =
        link < links.ofNodes() ? scheduler.nodeLimitBytesPerSec() : Double.POSITIVE_INFINITY;
    double[] now = foreground.loads();
    return Math.min(limit, links.left(link, now[link], Math.min(wanted, limit), spec.contention()));
  }

  @Override
  public void ended(int copy, double atSec) {
    copies.ended(copy);
    lastEndSec = Math.max(lastEndSec, atSec);
  }

  @Override
  public void stepped(double fromSec, double toSec, double[] bytes) {
    meter.step(toSec - fromSec, foreground.loads(), bytes);
    for (int node = 0; node < links.topology().nodeCount(); node++) {
      movedBytes += bytes[links.in(node)];
    }
  }

  @Override
  public boolean goesOn() {
    return copies.goesOn();
  }

  /** Every byte that crossed a link is in a chunk that is there again, or was copied in vain. */
  private void requireConserved() {
    double known = copies.recoveredBytes() + copies.lostProgressBytes();
    if (copies.isComplete() && Math.abs(movedBytes - known) > movedBytes * ROUNDING) {
      throw new IllegalStateException(
          "links carried " + movedBytes + " bytes; recovered and in vain are " + known);
    }
  }

  private RecoveryOutcome outcome(double now) {
    requireConserved();
    double seconds = copies.isComplete() ? lastEndSec : now;
    double bytes = copies.totalBytes();
    double idealSec = seconds;
    double idealBytes = bytes;
    try (Foreground again = new Foreground(links, loads.get())) {
      if (spec.endless()) {
        idealBytes = IdealRecovery.bytes(links, again, slotSec, seconds);
      } else {
        idealSec = IdealRecovery.seconds(links, again, slotSec, bytes);
      }
    }
    return new RecoveryOutcome(
        seconds,
        idealSec,
        meter.factor(),
        meter.worstSlot(),
        meter.aloneFactor(),
        meter.allowedFactor(),
        copies.recoveredBytes(),
        idealBytes,
        copies.lostProgressBytes(),
        copies.missing(),
        copies.begun(),
        copies.stragglers(),
        planWorkSec.stream().mapToDouble(sec -> sec).toArray());
  }
}
