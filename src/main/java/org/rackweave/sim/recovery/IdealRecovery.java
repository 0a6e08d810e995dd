package org.rackweave.sim.recovery;

import org.rackweave.dayu.IdealMakespan;

/**
 * How fast a recovery could be "assuming all available bandwidth can be utilized" (section 2.2): at
 * every moment all nodes together send and receive what Eq. 1 allows with the foreground of that
 * moment, whatever node holds what.
 */
final class IdealRecovery {
  private IdealRecovery() {}

  /**
   * Seconds until so many bytes are recovered.
   *
   * @param foreground at the beginning of its time
   * @param startSec when the recovery begins, in the foreground's time
   */
  static double seconds(RecoveryLinks links, Foreground foreground, double startSec, double bytes) {
    double now = startSec;
    double left = bytes;
    foreground.advanceTo(now);
    while (true) {
      double speed = speed(links, foreground);
      double until = foreground.nextChangeSec();
      if (left <= speed * (until - now)) {
        return now + left / speed - startSec;
      }
      left -= speed * (until - now);
      now = until;
      foreground.advanceTo(now);
    }
  }

  /** Bytes that are recovered in so many seconds. */
  static double bytes(RecoveryLinks links, Foreground foreground, double startSec, double seconds) {
    double now = startSec;
    double end = startSec + seconds;
    double sum = 0;
    foreground.advanceTo(now);
    while (now < end) {
      double until = Math.min(end, foreground.nextChangeSec());
      sum += speed(links, foreground) * (until - now);
      now = until;
      foreground.advanceTo(now);
    }
    return sum;
  }

  private static double speed(RecoveryLinks links, Foreground foreground) {
    return IdealMakespan.slotBytes(links.snapshot(foreground.loads()), 1);
  }
}
