package org.rackweave.hdfs.roles;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.rackweave.eafr.RoleChange;
import org.rackweave.eafr.ServerRole;

/**
 * What would become of servers' roles if an interval were over now. Failures are not in it: who is
 * needed for them is woken at once.
 *
 * @param steps first those that are woken, then those that fall asleep
 * @param awake of servers that are full, or are to sleep whenever they can, how many stay awake for
 *     which reason
 * @param cold servers that are cold
 * @param coldMax how many may be
 */
public record PlannedRoles(
    Outlook outlook, List<Step> steps, Map<StayReason, Integer> awake, int cold, int coldMax) {
  /** Where all servers are hot. */
  public static final PlannedRoles NONE = new PlannedRoles(Outlook.OFF, List.of(), Map.of(), 0, 0);

  /** Whether servers may fall asleep at all. */
  public enum Outlook {
    READY,
    /** Sleeping servers are being woken whose replicas this NameNode does not know. */
    COPIES_HELD_BACK,
    /** No server is hot, so none is to sleep. */
    NO_HOT_SERVER,
    /** All servers are hot, and stay so. */
    OFF
  }

  /** Whether a server is to get a role. */
  boolean has(String uuid, ServerRole to) {
    return steps.stream().anyMatch(step -> step.uuid().equals(uuid) && step.change().to() == to);
  }

  /** Nothing of it is carried out. */
  public Map<String, StayReason> none(StayReason why) {
    return steps.stream().collect(Collectors.toMap(Step::uuid, step -> why));
  }

  /**
   * One server's change.
   *
   * @param datanode its host and port
   */
  public record Step(String datanode, String uuid, String rack, RoleChange change) {
    /** For operators. */
    public Map<String, Object> row() {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("datanode", datanode);
      row.put("uuid", uuid);
      row.put("rack", rack);
      row.put("from", change.from().name().toLowerCase(Locale.ROOT));
      row.put("to", change.to().name().toLowerCase(Locale.ROOT));
      row.put("equation", change.reason().equation());
      row.put("because", change.because());
      return row;
    }
  }

  /** Why a server's role stays as it is. */
  public enum StayReason {
    /** It has transfers under way. */
    BUSY,
    /** It was woken, or could not fall asleep, a short time ago. */
    RESTING,
    /** As many others fall asleep in an interval, or are awake to verify, as may. */
    NEXT_INTERVAL,
    /** A block has too few other replicas that are awake. */
    NEEDED,
    /** The others would have too many reads if one of them failed. */
    READS,
    /** A block is being written. */
    WRITTEN,
    /** It has blocks with a code of HDFS's own. */
    ERASURE_CODED,
    /** As many others are cold as may. */
    COLD_SHARE,
    /** Its agent has not said which namespaces it serves. */
    NAMESPACES_UNKNOWN,
    /** It serves another namespace, too, whose replicas would be switched off. */
    OTHER_NAMESPACE,
    /** Another DataNode runs on its machine. */
    SHARED_MACHINE,
    /** A NameNode or a JournalNode runs on its machine. */
    OTHER_SERVICE,
    /** Which machines NameNodes and JournalNodes run on is not known; the log says more. */
    SERVICES_UNKNOWN,
    /** No server is hot. */
    NO_HOT_SERVER,
    /** HDFS does not know it any more. */
    GONE,
    /** It has failed, or is drained or in an operator's maintenance. */
    OUT_OF_SERVICE,
    /** It sleeps by now, is woken, has another role or is no longer full. */
    CHANGED_MEANWHILE,
    /** The kill switch. */
    SWITCHED_OFF,
    /** Its role cannot be kept; the log says more. */
    FAILED
  }
}
