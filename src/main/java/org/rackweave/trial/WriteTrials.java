package org.rackweave.trial;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.rackweave.history.Calibration;
import org.rackweave.history.PlacementRecord;

/**
 * Which files of a namespace take part in a comparison, and its blocks that are being written: from
 * their allocation until their client says that all their replicas have acknowledged all their
 * bytes. At most {@value #SLOTS} blocks; where one finds no room in some slots, the oldest there is
 * dropped. Soft state; lock-free and safe for use by many threads.
 */
public final class WriteTrials {
  private static final int SLOTS = 1 << 14;
  private static final int TRIED = 16;
  private static final double MEGA = 1e6;

  /** Whoever takes longer thinks, or waits. */
  private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);

  private final AtomicReferenceArray<UnderWay> slots = new AtomicReferenceArray<>(SLOTS);
  private final Calibration calibration = new Calibration();
  private volatile boolean isIdle = true;
  private volatile Running running;
  private volatile Canary known;

  /**
   * A comparison that goes on.
   *
   * @param isControl whether it is for placement in mode active; otherwise in mode shadow
   */
  public record Running(Canary canary, ArmSamples samples, boolean isControl) {

    /** The arm of a file, {@code null} for one that takes no part. */
    public Arm armOf(String path, long fileId) {
      return canary.covers(path)
          ? Arm.of(fileId, canary.salt(), canary.sharePercent() / 100)
          : null;
    }
  }

  /**
   * What a block is timed for.
   *
   * @param samples where its time goes, {@code null} for nowhere
   * @param wholeBytes length of a whole block of its file
   * @param record of its placement by us, {@code null} for none
   */
  public record Write(
      ArmSamples samples, Arm arm, long fileId, long wholeBytes, PlacementRecord record) {
    private Write withoutRecord() {
      return new Write(samples, arm, fileId, wholeBytes, null);
    }
  }

  /**
   * A block, or what a file waits for in place of one that was given up.
   *
   * @param number of the block, or by {@link #givenUp}
   */
  private record UnderWay(long number, long stamp, long startedNanos, Write write) {
    void leaveOut() {
      if (write.samples() != null) {
        write.samples().leaveOut(write.arm());
      }
    }
  }

  /** What is compared now, {@code null} for nothing. */
  public Running running() {
    return running;
  }

  public void run(Running next) {
    running = next;
  }

  /** The namespace's last canary, wherever it runs; {@code null} for none. */
  public Canary known() {
    return known;
  }

  public void know(Canary last) {
    known = last;
  }

  /** Why that was aborted, empty when it was not. */
  public String aborted() {
    Canary last = known;
    return last != null && last.state() == Canary.State.ABORTED ? last.sentence() : "";
  }

  /** Expected times beside measured ones. */
  public Calibration calibration() {
    return calibration;
  }

  /** Whether no block is timed. */
  public boolean isIdle() {
    return isIdle;
  }

  /**
   * A block was allocated.
   *
   * @param stamp its generation, another one when its pipeline is rebuilt or it is appended to
   */
  public void begin(long blockId, long stamp, Write write, long nowNanos) {
    isIdle = false;
    UnderWay before = remove(givenUp(write.fileId()), write.fileId());
    put(
        before == null
            ? new UnderWay(blockId, stamp, nowNanos, write)
            : new UnderWay(blockId, stamp, before.startedNanos(), write.withoutRecord()));
  }

  private void put(UnderWay begun) {
    int oldest = slot(begun.number(), 0);
    for (int i = 0; i < TRIED; i++) {
      int slot = slot(begun.number(), i);
      if (slots.compareAndSet(slot, null, begun)) {
        return;
      }
      oldest = startedNanos(slot) - startedNanos(oldest) < 0 ? slot : oldest;
    }
    UnderWay dropped = slots.getAndSet(oldest, begun);
    if (dropped != null) {
      dropped.leaveOut();
    }
  }

  /** Of a slot that has become free just now: long ago. */
  private long startedNanos(int slot) {
    UnderWay there = slots.get(slot);
    return there == null ? Long.MIN_VALUE / 2 : there.startedNanos();
  }

  /** Ids of new blocks follow each other; spread, so that those under way lie apart. */
  private static int slot(long number, int attempt) {
    return (int) (((number * 0x9E3779B97F4A7C15L) >>> 50) + attempt) & (SLOTS - 1);
  }

  /** What goes by a number, if it is of this file: users may name blocks of others. */
  private UnderWay remove(long number, long fileId) {
    for (int i = 0; i < TRIED; i++) {
      int slot = slot(number, i);
      UnderWay there = slots.get(slot);
      if (there != null
          && there.number() == number
          && there.write().fileId() == fileId
          && slots.compareAndSet(slot, there, null)) {
        return there;
      }
    }
    return null;
  }

  /**
   * A block is whole, as its client says, maybe repeatedly. The time of one of a rebuilt pipeline
   * counts, though not beside what was expected of the first one. One that is short is left out:
   * what it costs besides its bytes counts for most of its time.
   */
  public void end(long fileId, long blockId, long stamp, long saidBytes, long nowNanos) {
    UnderWay found = remove(blockId, fileId);
    if (found == null) {
      return;
    }
    Write write = found.write();
    long lengthBytes = Math.min(saidBytes, write.wholeBytes());
    if (lengthBytes <= 0 || lengthBytes < write.wholeBytes() / 2) {
      return;
    }
    double seconds = (nowNanos - found.startedNanos()) / 1e9;
    if (write.record() != null && stamp == found.stamp()) {
      calibration.add(write.record(), lengthBytes, seconds);
    }
    if (write.samples() != null) {
      long nowMs = TimeUnit.NANOSECONDS.toMillis(nowNanos);
      write.samples().add(write.arm(), write.fileId(), seconds / (lengthBytes / MEGA), nowMs);
    }
  }

  /** A block is given up: its time is part of that of the next one of its file. */
  public void abandon(long fileId, long blockId) {
    UnderWay found = remove(blockId, fileId);
    if (found != null && found.write().samples() != null) {
      put(new UnderWay(givenUp(fileId), 0, found.startedNanos(), found.write()));
    }
  }

  /** Number under which a file's last block is kept that was given up; blocks have others. */
  private static long givenUp(long fileId) {
    return -fileId;
  }

  /** Leaves out blocks that have been under way for an hour; to be called now and then. */
  public void expire(long nowNanos) {
    for (int slot = 0; slot < SLOTS; slot++) {
      UnderWay there = slots.get(slot);
      if (there != null
          && nowNanos - there.startedNanos() > LONGEST_NANOS
          && slots.compareAndSet(slot, there, null)) {
        there.leaveOut();
      }
    }
  }

  /** Forgets all blocks, and compares nothing. */
  public void clear() {
    running = null;
    for (int slot = 0; slot < SLOTS; slot++) {
      slots.set(slot, null);
    }
    isIdle = true;
  }
}
