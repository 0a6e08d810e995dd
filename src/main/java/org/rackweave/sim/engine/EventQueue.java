package org.rackweave.sim.engine;

import java.util.Arrays;

/**
 * Events in the order in which they happen: a heap of four children a place whose times lie side by
 * side, since to look at thousands of events by reference costs more than what most of them do.
 */
final class EventQueue {
  private static final int CHILDREN = 4;
  private static final int LEAST_ROOM = 16;

  private long[] times = new long[LEAST_ROOM];
  private Event[] events = new Event[LEAST_ROOM];
  private int size;

  /** The next event, or {@code null}. */
  Event peek() {
    return events[0];
  }

  void add(Event event) {
    if (size == events.length) {
      times = Arrays.copyOf(times, size * 2);
      events = Arrays.copyOf(events, size * 2);
    }
    int place = size++;
    while (place > 0) {
      int parent = (place - 1) / CHILDREN;
      if (!isBefore(event, parent)) {
        break;
      }
      set(place, events[parent]);
      place = parent;
    }
    set(place, event);
  }

  /** Takes the next event out, or {@code null}. */
  Event poll() {
    if (size == 0) {
      return null;
    }
    Event first = events[0];
    Event last = events[--size];
    events[size] = null;
    if (size > 0) {
      sink(last);
    }
    return first;
  }

  private void sink(Event event) {
    int place = 0;
    while (true) {
      int least = leastChild(place);
      if (least >= size || isBefore(event, least)) {
        break;
      }
      set(place, events[least]);
      place = least;
    }
    set(place, event);
  }

  /** The child that happens first; one past the end when there is none. */
  private int leastChild(int place) {
    int least = place * CHILDREN + 1;
    int end = Math.min(least + CHILDREN, size);
    for (int child = least + 1; child < end; child++) {
      if (times[child] < times[least]
          || times[child] == times[least] && events[child].compareTo(events[least]) < 0) {
        least = child;
      }
    }
    return least;
  }

  private boolean isBefore(Event event, int place) {
    return event.timeNanos < times[place]
        || event.timeNanos == times[place] && event.compareTo(events[place]) < 0;
  }

  private void set(int place, Event event) {
    events[place] = event;
    times[place] = event.timeNanos;
  }
}
