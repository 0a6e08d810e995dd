package org.rackweave.sim.recovery;

import org.rackweave.dayu.CopyProgress;
import org.rackweave.dayu.RecoveryBatch;
import org.rackweave.dayu.RecoveryPlan;
import org.rackweave.dayu.Verdict;
import org.rackweave.sim.workload.LostChunks;

/**
 * The chunks of the failed node: which wait, which are being copied, which are there again, each
 * once. Carries out plans on {@link CopyFlows}. Single-threaded.
 *
 * <p>Between a plan's making and its beginning time passes. A copy that ended meanwhile ignores the
 * plan; one that was to end and did not goes on as it was (section 4.4). A copy the plan leaves out
 * stands still and keeps what it has.
 */
final class ChunkCopies {
  private static final double MS_PER_SEC = 1e3;

  private final LostChunks.Drawing drawing;
  private final boolean endless;
  private final CopyFlows flows;
  private final int nodes;
  private final long[] bytes;
  private final int[] holderA;
  private final int[] holderB;

  /** Of copies under way, as the NameNode would know it. */
  private final CopyProgress[] progress;

  /** What copies had left when the last plan was carried out, and when that was. */
  private final double[] leftAtSlot;

  private double carriedOutSec;
  private final boolean[] recovered;

  /** Chunk of each task of the last batch. */
  private final int[] chunkOf;

  private int waiting;
  private int recoveredCount;
  private double recoveredBytes;
  private double lostProgressBytes;
  private long begun;
  private long stragglers;

  /**
   * @param endless whether a new chunk waits for each that is there again
   */
  ChunkCopies(LostChunks lost, boolean endless, int nodes, CopyFlows flows) {
    this.drawing = lost.drawing();
    this.endless = endless;
    this.flows = flows;
    this.nodes = nodes;
    int count = lost.count();
    bytes = new long[count];
    holderA = new int[count];
    holderB = new int[count];
    progress = new CopyProgress[count];
    leftAtSlot = new double[count];
    recovered = new boolean[count];
    chunkOf = new int[count];
    waiting = count;
    for (int chunk = 0; chunk < count; chunk++) {
      draw(chunk);
    }
  }

  private void draw(int chunk) {
    LostChunks.Lost lost = drawing.next();
    bytes[chunk] = lost.sizeBytes();
    holderA[chunk] = lost.holderA();
    holderB[chunk] = lost.holderB();
    recovered[chunk] = false;
  }

  /** What a planner is told of copies under way besides how far and how fast they are. */
  enum Told {
    /** Nothing: they should end with a slot that is not over. */
    ON_TIME,
    /** That all of them should be done by now. */
    OVERDUE,
    /** What the NameNode tells: each one's rate and speed, and whether it should be done. */
    PROGRESS
  }

  /** All that waits and all that is under way, for a planner. */
  RecoveryBatch batch(double nowSec, Told told) {
    RecoveryBatch.Builder builder = new RecoveryBatch.Builder(nodes);
    int tasks = 0;
    for (int chunk = 0; chunk < bytes.length; chunk++) {
      if (recovered[chunk] && endless) {
        draw(chunk);
        waiting++;
      }
      if (!recovered[chunk]) {
        chunkOf[tasks++] = chunk;
        builder.task(bytes[chunk], 0).sources(holderA[chunk], holderB[chunk]);
        if (flows.isUnderWay(chunk)) {
          addUnderWay(builder, chunk, nowSec, told);
        }
      }
    }
    return builder.build();
  }

  private void addUnderWay(RecoveryBatch.Builder builder, int chunk, double nowSec, Told told) {
    long nowMs = ms(nowSec);
    long done = Math.round(Math.max(0, bytes[chunk] - flows.left(chunk)));
    int from = flows.from(chunk);
    int to = flows.to(chunk);
    if (told == Told.PROGRESS) {
      progress[chunk] = progress[chunk].with(done, nowMs);
      progress[chunk].addTo(builder, from, to, nowMs, true);
      return;
    }
    builder.running(from, to, done, progress[chunk].runningSec(nowMs));
    double slotSec = nowSec - carriedOutSec;
    if (slotSec > 0) {
      builder.speed((leftAtSlot[chunk] - flows.left(chunk)) / slotSec);
    }
    if (told == Told.OVERDUE) {
      builder.overdue();
    }
  }

  private static long ms(double sec) {
    return Math.round(sec * MS_PER_SEC);
  }

  /** What becomes of a copy under way. */
  enum Rates {
    /** It gets the plan's rate. */
    PLANNED,
    /** It keeps the rate it has. */
    KEPT,
    /** Whatever the links give. */
    UNLIMITED
  }

  /**
   * Carries out a plan of the last batch.
   *
   * @param rates of copies under way; unlimited ones are so from the beginning
   */
  void carryOut(RecoveryPlan plan, Rates rates, double nowSec) {
    for (int task = 0; task < plan.count(); task++) {
      int chunk = chunkOf[task];
      if (recovered[chunk]) {
        continue;
      }
      boolean underWay = flows.isUnderWay(chunk);
      Verdict verdict = plan.verdict(task);
      double rate =
          rates == Rates.UNLIMITED ? Double.POSITIVE_INFINITY : plan.rateBytesPerSec(task);
      switch (verdict) {
        case PLANNED, RESTARTED ->
            begin(chunk, plan.source(task), plan.destination(task), rate, nowSec);
        case KEPT, RESOURCED -> {
          stragglers++;
          if (verdict == Verdict.RESOURCED || rates != Rates.KEPT) {
            goOn(chunk, plan.source(task), rate, nowSec);
          }
        }
        case FINISHING -> {
          // It should be done by now; if it is not, it goes on as it was.
        }
        default -> {
          if (underWay) {
            stragglers++;
            goOn(chunk, flows.from(chunk), 0, nowSec);
          }
        }
      }
      leftAtSlot[chunk] = flows.left(chunk);
    }
    carriedOutSec = nowSec;
  }

  private void goOn(int chunk, int source, double rate, double nowSec) {
    flows.goOn(chunk, source, rate);
    progress[chunk] = progress[chunk].at(rate, ms(nowSec));
  }

  private void begin(int chunk, int source, int destination, double rate, double nowSec) {
    if (source != holderA[chunk] && source != holderB[chunk]
        || destination == holderA[chunk]
        || destination == holderB[chunk]) {
      throw new IllegalStateException(
          "chunk "
              + chunk
              + " on "
              + holderA[chunk]
              + " and "
              + holderB[chunk]
              + " goes from "
              + source
              + " to "
              + destination);
    }
    if (flows.isUnderWay(chunk)) {
      stragglers++;
      lostProgressBytes += bytes[chunk] - flows.left(chunk);
    } else {
      waiting--;
    }
    begun++;
    progress[chunk] = CopyProgress.ordered(bytes[chunk], rate, ms(nowSec));
    flows.begin(chunk, source, destination, bytes[chunk], rate);
  }

  /** A chunk has all its bytes. */
  void ended(int chunk) {
    if (recovered[chunk]) {
      throw new IllegalStateException("chunk " + chunk + " is recovered twice");
    }
    recovered[chunk] = true;
    recoveredCount++;
    recoveredBytes += bytes[chunk];
  }

  /** Whether chunks wait, or will. */
  boolean goesOn() {
    return endless || waiting > 0;
  }

  /** Chunks that are not there again. */
  int missing() {
    return endless ? 0 : bytes.length - recoveredCount;
  }

  boolean isComplete() {
    return !endless && recoveredCount == bytes.length;
  }

  double totalBytes() {
    double sum = 0;
    for (long one : bytes) {
      sum += one;
    }
    return sum;
  }

  double recoveredBytes() {
    return recoveredBytes;
  }

  /** Bytes copied in vain, because a copy began again. */
  double lostProgressBytes() {
    return lostProgressBytes;
  }

  /** Copies begun. */
  long begun() {
    return begun;
  }

  /** Copies that were under way when a plan was carried out and were not to end, each time. */
  long stragglers() {
    return stragglers;
  }
}
