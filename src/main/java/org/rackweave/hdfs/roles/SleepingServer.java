package org.rackweave.hdfs.roles;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * A cold server on its way to sleep, asleep, or on its way back. Soft state but for {@link
 * #server()}; for one thread.
 */
final class SleepingServer {
  /** Where it is. */
  enum Phase {
    /** In HDFS's hands, which looks for blocks that would be without a replica. */
    ENTERING,
    /** In maintenance; other NameNodes read of it meanwhile. */
    SETTLING,
    /** The power command runs. */
    SWITCHING_OFF,
    ASLEEP,
    /** Until it has reported. */
    WAKING
  }

  /** Why it is woken. */
  enum Reason {
    /** It has slept long enough. */
    VERIFY,
    /** Too many of its blocks have changed. */
    LATE_UPDATES,
    /** Blocks have no other replica any more. */
    FAILURE,
    /** Those awake had too many reads. */
    READS,
    /** An operator said so. */
    OPERATOR,
    /** An operator wants it drained. */
    EXCLUDED,
    /** The NameNode does not know its replicas. */
    RESTART,
    /** It could not be put to sleep. */
    NO_SLEEP
  }

  private final ColdServer server;
  private Phase phase = Phase.ENTERING;
  private long sinceMs;
  private Reason reason;
  private Future<PowerHook.Outcome> command;
  private long commandEndedMs;

  private boolean isSentToSleep;
  private long silentMs;

  private long wakeUntilMs = Long.MAX_VALUE;

  /** Its blocks when HDFS could tell it of changes for the last time. */
  private int blocksBefore;

  SleepingServer(ColdServer server, long nowMs) {
    this.server = server;
    blocksBefore = server.blocks();
    sinceMs = nowMs;
  }

  ColdServer server() {
    return server;
  }

  Phase phase() {
    return phase;
  }

  /** When the phase began, monotonic. */
  long sinceMs() {
    return sinceMs;
  }

  /** Why it is woken, {@code null} while it is not. */
  Reason reason() {
    return reason;
  }

  void enter(Phase next, long nowMs) {
    phase = next;
    sinceMs = nowMs;
  }

  /**
   * From now on nobody knows whether it hears of changes.
   *
   * @param blocks that it has
   */
  void switchOff(int blocks, long nowMs) {
    enter(Phase.SWITCHING_OFF, nowMs);
    blocksBefore = blocks;
  }

  /** It has been told to sleep, or may have been by another NameNode. */
  void sentToSleep() {
    isSentToSleep = true;
    silentMs = 0;
  }

  /** It was silent after the last order to sleep: it has obeyed. */
  void silent(long nowMs) {
    silentMs = nowMs;
  }

  /** When it was silent for the last time, monotonic, 0 for never since it was told to sleep. */
  long silentMs() {
    return silentMs;
  }

  /** Whether it may go off yet, however often it was woken since. */
  boolean isSentToSleep() {
    return isSentToSleep;
  }

  /**
   * It sleeps.
   *
   * @param blocks that it has; changes are counted from here if it is not known what it had before
   */
  void asleep(int blocks, long nowMs) {
    enter(Phase.ASLEEP, nowMs);
    if (blocksBefore == ColdServer.UNKNOWN) {
      blocksBefore = blocks;
    }
  }

  void wake(Reason why, long nowMs) {
    enter(Phase.WAKING, nowMs);
    reason = why;
    if (command != null) {
      command.cancel(true); // or the order to sleep might be obeyed after the one to wake
      command = null;
    }
    commandEndedMs = 0;
    wakeUntilMs = Long.MAX_VALUE;
  }

  /** A command of its phase has begun. */
  void commanded(Future<PowerHook.Outcome> begun) {
    command = begun;
  }

  boolean isCommanded() {
    return command != null;
  }

  /**
   * What came of its command, {@code null} as long as it runs.
   *
   * @param nowMs taken for its end when it is found to have ended
   */
  PowerHook.Outcome outcome(long nowMs) {
    if (!command.isDone()) {
      return null;
    }
    try {
      PowerHook.Outcome outcome = command.get();
      command = null;
      commandEndedMs = nowMs;
      return outcome;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } catch (ExecutionException e) {
      command = null;
      commandEndedMs = nowMs;
      return new PowerHook.Outcome(e.getCause().toString());
    }
  }

  /** When its last command ended, monotonic, 0 for none. */
  long commandEndedMs() {
    return commandEndedMs;
  }

  /** From when on nobody waits for it any more, monotonic. */
  long wakeUntilMs() {
    return wakeUntilMs;
  }

  void waitUntil(long untilMs) {
    wakeUntilMs = untilMs;
  }

  /**
   * Its blocks that were deleted or written again since it was switched off: HDFS takes those from
   * it at once, and adds none to a server that it does not hear of. 0 unless it sleeps.
   *
   * @param blocksNow that HDFS says it has
   */
  int lateUpdates(int blocksNow) {
    return phase == Phase.ASLEEP ? Math.max(0, blocksBefore - blocksNow) : 0;
  }

  /** For people. */
  String describe() {
    return server.place() + " (" + server.uuid() + ')';
  }
}
