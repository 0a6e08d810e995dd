package org.rackweave.hdfs;

import java.util.Map;
import java.util.TreeMap;

/** Settings that are read at the start only, and why; the others may change at any time. */
public final class StartOnly {
  private static final String COLLECTOR = "the collector of reports is created with it";
  private static final String FORMING = "open stripes are formed with it";
  private static final String SLEEP = "HDFS learns at its start which DataNodes may sleep";
  private static final String AGENTS = "DataNodes read it at their start";

  private static final Map<String, String> WHY = new TreeMap<>();

  static {
    WHY.put(ConfigKeys.BLACK_BOX_DIRECTORY, "its files are open");
    WHY.put(ConfigKeys.SNAPSHOT_INTERVAL, "the timer of snapshots is set to it");
    WHY.put(ConfigKeys.STALE_INTERVAL, COLLECTOR);
    WHY.put(ConfigKeys.DERIVED, COLLECTOR);
    WHY.put(ConfigKeys.HOST_BYTES_PER_SEC, COLLECTOR);
    WHY.put(ConfigKeys.EAR_SEAL_AGE, FORMING);
    WHY.put(PaperConstants.EAR_RACK_LIMIT, FORMING);
    WHY.put(PaperConstants.EAR_TARGET_RACKS, FORMING);
    WHY.put(ConfigKeys.EAR_PARITY_DIRECTORY, "parity files are there");
    WHY.put(ConfigKeys.EAR_SAFE_MODE_GRACE, "it applies at a start");
    WHY.put(ConfigKeys.EAFR_TRACKED_FILES, "tables are allocated with it");
    WHY.put(ConfigKeys.EAFR_ROLES, SLEEP);
    WHY.put(ConfigKeys.EAFR_ROLES_STANDBY, SLEEP);
    WHY.put(ConfigKeys.EAFR_ROLES_COLD, SLEEP);
    WHY.put(ConfigKeys.EAFR_ROLES_DIRECTORY, "roles are stored there");
    WHY.put(ConfigKeys.EAFR_HOSTS_PROVIDER, "HDFS reads its hosts at the start");
    WHY.put(ConfigKeys.EAFR_POWER_COMMAND, "commands under way belong to another program");
    WHY.put(
        ConfigKeys.EAFR_VERIFY_INTERVAL,
        "HDFS waits for a sleeping DataNode by the value at which it fell asleep");
    WHY.put(AgentKeys.SAMPLER, AGENTS);
    WHY.put(AgentKeys.INTERFACE, AGENTS);
    WHY.put(AgentKeys.LINK_BYTES_PER_SEC, AGENTS);
    WHY.put(AgentKeys.WORK_THREADS, AGENTS);
    WHY.put(AgentKeys.DECODE_ADDRESS, AGENTS);
    WHY.put(AgentKeys.DECODE_THREADS, AGENTS);
    WHY.put(AgentKeys.DECODE_BYTES_PER_SEC, AGENTS);
    WHY.put("rackweave.erasure.coder", "each process chooses when it first codes");
  }

  private StartOnly() {}

  /** Why a key takes a restart, {@code null} when it does not. */
  public static String why(String key) {
    return WHY.get(key);
  }
}
