package org.rackweave.sim.engine;

/** Conversions between simulated time, whole nanoseconds, and what people write. */
public final class SimTime {
  public static final long NANOS_PER_SEC = 1_000_000_000L;
  public static final long NANOS_PER_MS = 1_000_000L;

  private SimTime() {}

  /** The instant {@code seconds} after the start, to the nearest nanosecond. */
  public static long ofSeconds(double seconds) {
    return Math.round(seconds * NANOS_PER_SEC);
  }

  public static long ofMs(long ms) {
    return ms * NANOS_PER_MS;
  }

  public static double toSeconds(long nanos) {
    return nanos / (double) NANOS_PER_SEC;
  }

  /** Whole milliseconds, as the telemetry counts them. */
  public static long toMs(long nanos) {
    return nanos / NANOS_PER_MS;
  }
}
