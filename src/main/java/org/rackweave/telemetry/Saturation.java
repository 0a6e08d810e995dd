package org.rackweave.telemetry;

/**
 * What a host's agent saw come to its limits between two reports. One byte on the wire.
 *
 * @param rx whether data on the way to the host were lost, as they are where a link on the way is
 *     full
 * @param tx whether data that the host sent were lost
 * @param diskWriteBytesPerSec the most that one of the DataNode's disks wrote while it was busy all
 *     the time; 0 = unknown. On the wire in steps of a quarter, from 1 MB/s to 1 GB/s
 */
public record Saturation(boolean rx, boolean tx, double diskWriteBytesPerSec) {
  /** Nothing came to its limits, as far as is known. */
  public static final Saturation NONE = new Saturation(false, false, 0);

  private static final int RX = 1;
  private static final int TX = 2;
  private static final int DISK_SHIFT = 2;
  private static final int DISK_MASK = 31;

  private static final double LEAST_DISK = 1e6;
  private static final int STEPS_A_DOUBLING = 3;

  /**
   * @throws IllegalArgumentException if the disk's rate is negative or not finite
   */
  public Saturation {
    if (!(diskWriteBytesPerSec >= 0 && diskWriteBytesPerSec < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "diskWriteBytesPerSec must be at least 0 and finite: " + diskWriteBytesPerSec);
    }
  }

  byte code() {
    return (byte) ((rx ? RX : 0) | (tx ? TX : 0) | diskCode() << DISK_SHIFT);
  }

  private int diskCode() {
    if (diskWriteBytesPerSec == 0) {
      return 0;
    }
    double doublings = Math.log(diskWriteBytesPerSec / LEAST_DISK) / Math.log(2);
    return 1 + (int) Math.max(0, Math.min(DISK_MASK - 1, Math.round(STEPS_A_DOUBLING * doublings)));
  }

  /** Every byte is the code of something; its highest bit means nothing yet. */
  static Saturation of(byte code) {
    return new Saturation(isRx(code), isTx(code), diskWriteBytesPerSec(code));
  }

  static boolean isRx(byte code) {
    return (code & RX) != 0;
  }

  static boolean isTx(byte code) {
    return (code & TX) != 0;
  }

  static double diskWriteBytesPerSec(byte code) {
    int disk = code >> DISK_SHIFT & DISK_MASK;
    return disk == 0 ? 0 : LEAST_DISK * Math.pow(2, (disk - 1) / (double) STEPS_A_DOUBLING);
  }
}
