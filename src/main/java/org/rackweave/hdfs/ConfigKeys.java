package org.rackweave.hdfs;

/**
 * Configuration keys the NameNode reads. {@code rackweave-default.xml} describes each one; {@link
 * RackweaveConfig} holds the defaults and the allowed ranges.
 */
public final class ConfigKeys {
  public static final String MODE = "rackweave.mode";
  public static final String SNAPSHOT_INTERVAL = "rackweave.snapshot.interval";
  public static final String ESTIMATE = "rackweave.telemetry.estimate";
  public static final String STALE_INTERVAL = "rackweave.telemetry.stale.interval";
  public static final String WARM_UP_INTERVAL = "rackweave.telemetry.warm-up.interval";
  public static final String COVERAGE_MIN = "rackweave.telemetry.coverage.min";
  public static final String DERIVED = "rackweave.telemetry.derived";
  public static final String FUTURE_TOLERANCE = "rackweave.telemetry.future.tolerance";
  public static final String READ_COUNTS_TOP_K = "rackweave.telemetry.read-counts.top-k";
  public static final String HOST_BYTES_PER_SEC = "rackweave.network.host.bytes-per-sec";
  public static final String RACK_BYTES_PER_SEC = "rackweave.network.rack.bytes-per-sec";
  public static final String RACK_OVERSUBSCRIPTION = "rackweave.network.rack.oversubscription";
  public static final String DISK_WRITE_BYTES_PER_SEC =
      "rackweave.network.disk-write.bytes-per-sec";
  public static final String SPREAD = "rackweave.sinbad.spread";
  public static final String THRESHOLD_FRACTION = "rackweave.sinbad.threshold.fraction";
  public static final String INTERVAL = "rackweave.sinbad.interval";
  public static final String INTERVAL_MAX_HELD = "rackweave.sinbad.interval.max-held";
  public static final String STORAGE_IMBALANCE = "rackweave.sinbad.storage-imbalance.limit";
  public static final String CANDIDATES_MAX = "rackweave.sinbad.candidates.max";
  public static final String EAR_RACK_LIMIT = "rackweave.ear.rack-limit";
  public static final String EAR_TARGET_RACKS = "rackweave.ear.target-racks";
  public static final String EAR_OPEN_STRIPES_MAX = "rackweave.ear.open-stripes.max";
  public static final String EAR_SEAL_AGE = "rackweave.ear.seal.age";
  public static final String EAR_SEAT_AGE = "rackweave.ear.seat.age";
  public static final String EAR_SEARCH_INTERVAL = "rackweave.ear.search.interval";
  public static final String EAR_PARITY_DIRECTORY = "rackweave.ear.parity.directory";
  public static final String EAR_ENCODE_CONCURRENT = "rackweave.ear.encode.concurrent";
  public static final String EAR_ENCODE_BYTES_PER_SEC = "rackweave.ear.encode.bytes-per-sec";
  public static final String EAR_ENCODE_AGE = "rackweave.ear.encode.age";
  public static final String EAR_ENCODE_SIZE_MIN = "rackweave.ear.encode.size.min";
  public static final String EAR_ENCODE_QUIET = "rackweave.ear.encode.quiet";
  public static final String EAR_REPAIR_CONCURRENT = "rackweave.ear.repair.concurrent";
  public static final String EAR_MARGIN = "rackweave.ear.margin";
  public static final String EAR_AUDIT_INTERVAL = "rackweave.ear.audit.interval";
  public static final String EAR_RESTORE_BLOCKS_MAX = "rackweave.ear.restore.blocks.max";
  public static final String EAR_CHANGE_WAIT = "rackweave.ear.change.wait";
  public static final String EAR_SAFE_MODE_GRACE = "rackweave.ear.safe-mode.grace";
  public static final String EAR_RANKING = "rackweave.ear.ranking";
  public static final String DAYU_ENABLED = "rackweave.dayu.enabled";
  public static final String DAYU_ALGORITHM = "rackweave.dayu.algorithm";
  public static final String DAYU_RATES = "rackweave.dayu.rates";
  public static final String DAYU_TIMESLOT = "rackweave.dayu.timeslot";
  public static final String DAYU_SCHEDULE_AHEAD = "rackweave.dayu.schedule-ahead";
  public static final String DAYU_ALPHA = "rackweave.dayu.alpha";
  public static final String DAYU_MIN_BYTES_PER_SEC = "rackweave.dayu.min.bytes-per-sec";
  public static final String DAYU_MIN_SHARE = "rackweave.dayu.min.share";
  public static final String DAYU_BETA = "rackweave.dayu.beta";
  public static final String DAYU_RESTART_STRAGGLERS = "rackweave.dayu.restart-stragglers";
  public static final String DAYU_BLOCKS_MAX = "rackweave.dayu.blocks.max";
  public static final String DAYU_STREAMS_MAX = "rackweave.dayu.streams.max";
  public static final String DAYU_CLAIM = "rackweave.dayu.claim";
  public static final String DAYU_BRAKE_SHARE = "rackweave.dayu.brake.share";
  public static final String DAYU_BRAKE_WINDOW = "rackweave.dayu.brake.window";
  public static final String DAYU_BRAKE_GRACE = "rackweave.dayu.brake.grace";
  public static final String EAFR_INTERVAL = "rackweave.eafr.interval";
  public static final String EAFR_DECAY = "rackweave.eafr.decay";
  public static final String EAFR_TRACKED_FILES = "rackweave.eafr.tracked-files";
  public static final String EAFR_CAPACITY = "rackweave.eafr.capacity";
  public static final String EAFR_CAPACITY_OBSERVED = "rackweave.eafr.capacity.observed";
  public static final String EAFR_THRESHOLDS = "rackweave.eafr.thresholds";
  public static final String EAFR_TAU_UPPER = "rackweave.eafr.tau-upper";
  public static final String EAFR_TAU_LOWER = "rackweave.eafr.tau-lower";
  public static final String EAFR_SIGMA_UPPER = "rackweave.eafr.sigma-upper";
  public static final String EAFR_SIGMA_LOWER = "rackweave.eafr.sigma-lower";
  public static final String EAFR_GAMMA_READS = "rackweave.eafr.gamma-reads";
  public static final String EAFR_GAMMA_SERVERS = "rackweave.eafr.gamma-servers";
  public static final String EAFR_TAU_LOAD = "rackweave.eafr.tau-load";
  public static final String EAFR_AGE_MIN = "rackweave.eafr.age.min";
  public static final String EAFR_DWELL = "rackweave.eafr.dwell";
  public static final String EAFR_COOL_DOWN = "rackweave.eafr.cool-down";
  public static final String EAFR_BUDGET_BYTES = "rackweave.eafr.budget.bytes";
  public static final String EAFR_IN_FLIGHT_MAX = "rackweave.eafr.in-flight.max";
  public static final String EAFR_CHANGES_MAX = "rackweave.eafr.changes.max";
  public static final String EAFR_ALPHA = "rackweave.eafr.alpha";
  public static final String EAFR_BETA = "rackweave.eafr.beta";
  public static final String EAFR_RESERVE_BYTES = "rackweave.eafr.reserve.bytes";
  public static final String EAFR_SOURCES_ENABLED = "rackweave.eafr.sources.enabled";
  public static final String EAFR_RATES_ENABLED = "rackweave.eafr.rates.enabled";
  public static final String EAFR_RATES_ETA_LOWER = "rackweave.eafr.rates.eta-lower";
  public static final String EAFR_RATES_ETA_UPPER = "rackweave.eafr.rates.eta-upper";
  public static final String EAFR_RATES_LEAST_SHARE = "rackweave.eafr.rates.least-share";
  public static final String EAFR_ROLES = "rackweave.eafr.roles";
  public static final String EAFR_ROLES_STANDBY = "rackweave.eafr.roles.standby";
  public static final String EAFR_ROLES_COLD = "rackweave.eafr.roles.cold";
  public static final String EAFR_ROLES_STANDBY_SHARE = "rackweave.eafr.roles.standby.share";
  public static final String EAFR_ROLES_COLD_SHARE = "rackweave.eafr.roles.cold.share";
  public static final String EAFR_ROLES_DIRECTORY = "rackweave.eafr.roles.directory";
  public static final String EAFR_HOSTS_PROVIDER = "rackweave.eafr.hosts.provider";
  public static final String EAFR_POWER_COMMAND = "rackweave.eafr.power.command";
  public static final String EAFR_POWER_TIMEOUT = "rackweave.eafr.power.timeout";
  public static final String EAFR_POWER_ASLEEP_WATTS = "rackweave.eafr.power.asleep-watts";
  public static final String EAFR_SLEEP_SETTLE = "rackweave.eafr.sleep.settle";
  public static final String EAFR_AWAKE_MIN = "rackweave.eafr.awake.min";
  public static final String EAFR_WAKE_TIMEOUT = "rackweave.eafr.wake.timeout";
  public static final String EAFR_VERIFY_INTERVAL = "rackweave.eafr.verify.interval";
  public static final String EAFR_VERIFY_MAX = "rackweave.eafr.verify.max";
  public static final String EAFR_LATE_UPDATES_MAX = "rackweave.eafr.late-updates.max";

  private ConfigKeys() {}
}
