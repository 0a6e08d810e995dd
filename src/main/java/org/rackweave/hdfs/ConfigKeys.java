package org.rackweave.hdfs;

/**
 * Configuration keys the NameNode reads. {@code rackweave-default.xml} describes each one; {@link
 * RackweaveConfig} holds the defaults and the allowed ranges.
 */
public final class ConfigKeys {
  public static final String MODE = "rackweave.mode";
  public static final String PAPER = "rackweave.paper";
  public static final String DECISIONS_KEPT = "rackweave.decisions.kept";
  public static final String BLACK_BOX_DIRECTORY = "rackweave.black-box.directory";
  public static final String SNAPSHOT_INTERVAL = "rackweave.snapshot.interval";
  public static final String STALE_INTERVAL = "rackweave.telemetry.stale.interval";
  public static final String COVERAGE_MIN = "rackweave.telemetry.coverage.min";
  public static final String DERIVED = "rackweave.telemetry.derived";
  public static final String HOST_BYTES_PER_SEC = "rackweave.network.host.bytes-per-sec";
  public static final String RACK_BYTES_PER_SEC = "rackweave.network.rack.bytes-per-sec";
  public static final String RACK_OVERSUBSCRIPTION = "rackweave.network.rack.oversubscription";
  public static final String DISK_WRITE_BYTES_PER_SEC =
      "rackweave.network.disk-write.bytes-per-sec";
  public static final String SPREAD = "rackweave.sinbad.spread";
  public static final String EAR_SEAL_AGE = "rackweave.ear.seal.age";
  public static final String EAR_SEARCH_INTERVAL = "rackweave.ear.search.interval";
  public static final String EAR_PARITY_DIRECTORY = "rackweave.ear.parity.directory";
  public static final String EAR_ENCODE_CONCURRENT = "rackweave.ear.encode.concurrent";
  public static final String EAR_ENCODE_BYTES_PER_SEC = "rackweave.ear.encode.bytes-per-sec";
  public static final String EAR_REPAIR_CONCURRENT = "rackweave.ear.repair.concurrent";
  public static final String EAR_MARGIN = "rackweave.ear.margin";
  public static final String EAR_AUDIT_INTERVAL = "rackweave.ear.audit.interval";
  public static final String EAR_CHANGE_WAIT = "rackweave.ear.change.wait";
  public static final String EAR_SAFE_MODE_GRACE = "rackweave.ear.safe-mode.grace";
  public static final String DAYU_TIMESLOT = "rackweave.dayu.timeslot";
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
  public static final String EAFR_AGE_MIN = "rackweave.eafr.age.min";
  public static final String EAFR_DWELL = "rackweave.eafr.dwell";
  public static final String EAFR_COOL_DOWN = "rackweave.eafr.cool-down";
  public static final String EAFR_BUDGET_BYTES = "rackweave.eafr.budget.bytes";
  public static final String EAFR_IN_FLIGHT_MAX = "rackweave.eafr.in-flight.max";
  public static final String EAFR_CHANGES_MAX = "rackweave.eafr.changes.max";
  public static final String EAFR_RESERVE_BYTES = "rackweave.eafr.reserve.bytes";
  public static final String EAFR_SOURCES_ENABLED = "rackweave.eafr.sources.enabled";
  public static final String EAFR_RATES_ENABLED = "rackweave.eafr.rates.enabled";
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
  public static final String EAFR_SLEEP_SETTLE = "rackweave.eafr.sleep.settle";
  public static final String EAFR_AWAKE_MIN = "rackweave.eafr.awake.min";
  public static final String EAFR_WAKE_TIMEOUT = "rackweave.eafr.wake.timeout";
  public static final String EAFR_VERIFY_INTERVAL = "rackweave.eafr.verify.interval";
  public static final String EAFR_LATE_UPDATES_MAX = "rackweave.eafr.late-updates.max";

  private ConfigKeys() {}
}
