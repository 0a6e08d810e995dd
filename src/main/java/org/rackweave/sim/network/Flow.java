package org.rackweave.sim.network;

/** Bytes on their way over a path. */
public final class Flow implements Comparable<Flow> {
  private final double sizeBytes;
  private final long startedNanos;
  private final long serial;
  private final Runnable whenDone;

  /** {@code null} once the flow has ended or was cancelled. */
  Bundle bundle;

  /** What a flow as old as the bundle has received when this one ends. */
  double endsAtBytes;

  Flow(double sizeBytes, long startedNanos, long serial, Runnable whenDone) {
    this.sizeBytes = sizeBytes;
    this.startedNanos = startedNanos;
    this.serial = serial;
    this.whenDone = whenDone;
  }

  public double sizeBytes() {
    return sizeBytes;
  }

  public long startedNanos() {
    return startedNanos;
  }

  /** Whether it is still under way. */
  public boolean isRunning() {
    return bundle != null;
  }

  /** Bytes per second now; 0 once it has ended. */
  public double bytesPerSec() {
    return bundle == null ? 0 : bundle.rate;
  }

  void tellDone() {
    whenDone.run();
  }

  @Override
  public int compareTo(Flow other) {
    int byEnd = Double.compare(endsAtBytes, other.endsAtBytes);
    return byEnd != 0 ? byEnd : Long.compare(serial, other.serial);
  }
}
