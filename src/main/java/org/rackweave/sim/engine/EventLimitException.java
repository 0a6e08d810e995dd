package org.rackweave.sim.engine;

import java.util.Locale;

/** More events happened than were allowed: something schedules without end. */
public final class EventLimitException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  EventLimitException(long eventsMax, long nowNanos) {
    super(
        String.format(
            Locale.ROOT,
            "stopped after %d events at %.9f s of simulated time",
            eventsMax,
            nowNanos / 1e9));
  }
}
