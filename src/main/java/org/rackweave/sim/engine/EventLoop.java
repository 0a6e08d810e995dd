package org.rackweave.sim.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/**
 * A clock that jumps from event to event. Events happen in order of time; at one time, in the order
 * in which they were scheduled. Single-threaded.
 *
 * <p>What depends on everything that happens at one instant is done by {@link #atEndOfInstant}:
 * many changes, one recomputation.
 */
public final class EventLoop {
  /** How often a listener hears of progress, in events. */
  private static final int PROGRESS_EVERY = 1 << 14;

  /** More events happened than were allowed: something schedules without end. */
  public static final class EventLimitException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private EventLimitException(long eventsMax, long nowNanos) {
      super(
          String.format(
              Locale.ROOT,
              "stopped after %d events at %.9f s of simulated time",
              eventsMax,
              nowNanos / 1e9));
    }
  }

  private record Rule(String name, Invariant invariant) {}

  private final long eventsMax;
  private final EventQueue events = new EventQueue();
  private final Deque<Runnable> endOfInstant = new ArrayDeque<>();
  private final List<Rule> rules = new ArrayList<>();
  private ProgressListener progress = (nowNanos, eventCount) -> {};
  private long nowNanos;
  private long scheduledCount;
  private long eventCount;

  /**
   * @param eventsMax most events that may happen; a simulation that runs away stops there
   */
  public EventLoop(long eventsMax) {
    this.eventsMax = eventsMax;
  }

  public long nowNanos() {
    return nowNanos;
  }

  /** Events that have happened. */
  public long eventCount() {
    return eventCount;
  }

  /**
   * Schedules an action.
   *
   * @throws IllegalArgumentException if the time has passed
   */
  public Event at(long timeNanos, Runnable action) {
    if (timeNanos < nowNanos) {
      throw new IllegalArgumentException("it is " + nowNanos + " ns, too late for " + timeNanos);
    }
    Event event = new Event(timeNanos, scheduledCount++, action);
    events.add(event);
    return event;
  }

  /** Schedules an action a while from now. */
  public Event after(long delayNanos, Runnable action) {
    return at(nowNanos + delayNanos, action);
  }

  /** Has an action done once when nothing else is left to happen now. */
  public void atEndOfInstant(Runnable action) {
    endOfInstant.add(action);
  }

  /** Has a rule checked after every event. */
  public void require(String name, Invariant invariant) {
    rules.add(new Rule(name, invariant));
  }

  /** Tells how far the run is, now and then. */
  public void listen(ProgressListener listener) {
    progress = listener;
  }

  /**
   * Lets everything happen up to and at a time; the clock stands there afterwards.
   *
   * @throws EventLimitException if more events happened than were allowed
   * @throws BrokenInvariantException if a rule did not hold after an event
   */
  public void runUntil(long timeNanos) {
    while (step(timeNanos)) {
      if (eventCount % PROGRESS_EVERY == 0) {
        progress.at(nowNanos, eventCount);
      }
    }
    nowNanos = Math.max(nowNanos, timeNanos);
  }

  /** Lets everything happen that is scheduled; the clock stands at the last event afterwards. */
  public void runToEnd() {
    while (step(Long.MAX_VALUE)) {
      if (eventCount % PROGRESS_EVERY == 0) {
        progress.at(nowNanos, eventCount);
      }
    }
  }

  private boolean step(long untilNanos) {
    Event next = firstPending();
    boolean timeMoves = next == null || next.timeNanos > nowNanos;
    if (timeMoves && !endOfInstant.isEmpty()) {
      happen(endOfInstant.poll());
      return true;
    }
    if (next == null || next.timeNanos > untilNanos) {
      return false;
    }
    events.poll();
    nowNanos = next.timeNanos;
    happen(next.take());
    return true;
  }

  private Event firstPending() {
    Event first = events.peek();
    while (first != null && !first.isPending()) {
      events.poll();
      first = events.peek();
    }
    return first;
  }

  private void happen(Runnable action) {
    if (++eventCount > eventsMax) {
      throw new EventLimitException(eventsMax, nowNanos);
    }
    action.run();
    for (Rule rule : rules) {
      String fault = rule.invariant().fault();
      if (fault != null) {
        throw new BrokenInvariantException(rule.name(), fault, nowNanos, eventCount);
      }
    }
  }
}
