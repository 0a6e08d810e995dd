package org.rackweave.durability;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.concurrent.TimeUnit;

/**
 * For how long how many blocks have had fewer replicas than they should: block-hours, today and
 * before, from a count that is looked at now and then. Between two looks the count is taken for
 * their mean. Thread-safe.
 */
public final class Exposure {
  private static final double HOUR_MS = TimeUnit.HOURS.toMillis(1);

  /** After so long without a look nothing is known of the time between. */
  private static final long GAP_MS = TimeUnit.MINUTES.toMillis(5);

  private final ZoneId zone;
  private LocalDate day;
  private long lastMs;
  private long last;
  private double today;
  private double before;

  /**
   * Block-hours.
   *
   * @param today since midnight
   * @param before until then
   */
  public record BlockHours(double today, double before) {}

  /**
   * @param zone in which days begin
   */
  public Exposure(ZoneId zone) {
    this.zone = zone;
  }

  /**
   * Takes a look.
   *
   * @param atMs wall clock
   * @param blocks how many are short of replicas; below 0 when that is not known
   */
  public synchronized void add(long atMs, long blocks) {
    LocalDate now = LocalDate.ofInstant(Instant.ofEpochMilli(atMs), zone);
    if (!now.equals(day)) {
      before += today;
      today = 0;
    }
    long sinceMs = atMs - lastMs;
    if (day != null && last >= 0 && blocks >= 0 && sinceMs > 0 && sinceMs <= GAP_MS) {
      today += sinceMs / HOUR_MS * (last + blocks) / 2;
    }
    day = now;
    lastMs = atMs;
    last = blocks;
  }

  public synchronized BlockHours blockHours() {
    return new BlockHours(today, before);
  }
}
