package org.rackweave.sim.engine;

/** Something that is to happen. */
public final class Event implements Comparable<Event> {
  final long timeNanos;
  private final long serial;
  private Runnable action;

  Event(long timeNanos, long serial, Runnable action) {
    this.timeNanos = timeNanos;
    this.serial = serial;
    this.action = action;
  }

  /** Whether it has neither happened nor been cancelled. */
  public boolean isPending() {
    return action != null;
  }

  /** When it happens. */
  public long timeNanos() {
    return timeNanos;
  }

  /** Keeps it from happening; does nothing if it has. */
  public void cancel() {
    action = null;
  }

  Runnable take() {
    Runnable taken = action;
    action = null;
    return taken;
  }

  @Override
  public int compareTo(Event other) {
    int byTime = Long.compare(timeNanos, other.timeNanos);
    return byTime != 0 ? byTime : Long.compare(serial, other.serial);
  }
}
