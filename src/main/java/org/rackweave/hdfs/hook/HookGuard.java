package org.rackweave.hdfs.hook;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.rackweave.hdfs.LogThrottle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs code of ours where HDFS called for something else. Whatever that code throws, an {@link
 * Error} too, is counted by hook, logged once a minute, and goes no further; the caller then does
 * as stock HDFS would. Nothing of HDFS's own is to run in here: its exceptions are its callers' to
 * see.
 *
 * <p>Two things pass: an interrupt stays set, which ends a loop that is being closed, and {@link
 * ThreadDeath}. Counts are this process's. Thread-safe.
 */
public final class HookGuard {
  private static final Logger LOG = LoggerFactory.getLogger(HookGuard.class);

  /** Allocated here and never again: there may be no memory when something is counted. */
  private static final AtomicLongArray FAILURES = new AtomicLongArray(Hook.values().length);

  private static final AtomicReferenceArray<Class<?>> LAST =
      new AtomicReferenceArray<>(Hook.values().length);
  private static final LogThrottle[] LOGS = new LogThrottle[Hook.values().length];
  private static final FaultInjector NONE = hook -> {};
  private static volatile FaultInjector injector = NONE;

  static {
    for (int i = 0; i < LOGS.length; i++) {
      LOGS[i] = LogThrottle.oncePerMinute();
    }
  }

  private HookGuard() {}

  /** Something that ends by itself or throws. */
  @FunctionalInterface
  public interface Action {
    void run() throws Exception;
  }

  /** Fails hooks where tests want that. */
  @FunctionalInterface
  public interface FaultInjector {
    void before(Hook hook) throws Exception;
  }

  /** For tests; {@code null} ends it. */
  public static void inject(FaultInjector faults) {
    injector = faults == null ? NONE : faults;
  }

  /**
   * Runs something.
   *
   * @return whether it ended as it should
   */
  public static boolean run(Hook hook, Action ours) {
    return call(
        hook,
        false,
        () -> {
          ours.run();
          return true;
        });
  }

  /**
   * Asks something.
   *
   * @param otherwise the answer when that fails
   */
  public static <T> T call(Hook hook, T otherwise, Callable<T> ours) {
    try {
      injector.before(hook);
      return ours.call();
    } catch (ThreadDeath e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      failed(hook, e);
    }
    return otherwise;
  }

  /** Counts and logs what was caught elsewhere. */
  public static void failed(Hook hook, Throwable cause) {
    FAILURES.incrementAndGet(hook.ordinal());
    LAST.set(hook.ordinal(), cause.getClass());
    try {
      if (LOGS[hook.ordinal()].shouldLog()) {
        LOG.error("Rackweave failed ({}). {}", hook.label(), hook.consequence(), cause);
      }
    } catch (Throwable e) {
      LAST.set(hook.ordinal(), e.getClass()); // no memory or stack to log with; it is counted
    }
  }

  /** How often a hook has failed in this process. */
  public static long failures(Hook hook) {
    return FAILURES.get(hook.ordinal());
  }

  /** Hooks that last failed because a class or method is not as they know it, with what follows. */
  public static List<String> unlinked() {
    return Arrays.stream(Hook.values())
        .filter(hook -> LAST.get(hook.ordinal()) != null)
        .filter(hook -> LinkageError.class.isAssignableFrom(LAST.get(hook.ordinal())))
        .map(hook -> hook.label() + ": " + hook.consequence())
        .toList();
  }

  /** Timers that are late now, each with for how long. */
  public static List<String> lateTimers() {
    return HookWatchdog.lateTimers();
  }

  /**
   * What has failed, and which timers are late, as an end of a sentence; empty when all is well.
   */
  public static String describe() {
    StringBuilder text = new StringBuilder();
    for (Hook hook : Hook.values()) {
      if (failures(hook) > 0) {
        text.append(text.isEmpty() ? ", failed: " : ", ")
            .append(hook.label())
            .append(' ')
            .append(failures(hook))
            .append(" (")
            .append(LAST.get(hook.ordinal()).getSimpleName())
            .append(')');
      }
    }
    return text + HookWatchdog.describe();
  }
}
