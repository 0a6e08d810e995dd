package org.rackweave.telemetry;

/**
 * How much of a link others take, roughly. A class is left for a lower one only when the load is
 * well below its threshold, so that a load near one does not change the class all the time.
 */
public enum LinkClass {
  /** The load or the link's speed is not known. */
  UNKNOWN(0),
  /** Most of the link is free. */
  FREE(0),
  /** More than half of the link is taken. */
  BUSY(0.5),
  /** Next to nothing is left. */
  FULL(0.85);

  /** How far below a threshold, as a fraction of the link's speed, the class is left. */
  private static final double HYSTERESIS = 0.1;

  private final double above;

  LinkClass(double above) {
    this.above = above;
  }

  /**
   * The class of a load.
   *
   * @param before the class until now
   * @param bytesPerSec the load; {@link LinkRates#UNKNOWN} if it is not known
   * @param linkBytesPerSec speed of the link; 0 = unknown
   */
  public static LinkClass of(LinkClass before, double bytesPerSec, double linkBytesPerSec) {
    if (bytesPerSec == LinkRates.UNKNOWN || linkBytesPerSec <= 0) {
      return UNKNOWN;
    }
    double load = bytesPerSec / linkBytesPerSec;
    return load > FULL.threshold(before) ? FULL : load > BUSY.threshold(before) ? BUSY : FREE;
  }

  private double threshold(LinkClass before) {
    return before.ordinal() >= ordinal() ? above - HYSTERESIS : above;
  }
}
