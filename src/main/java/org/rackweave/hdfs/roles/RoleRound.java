package org.rackweave.hdfs.roles;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.eafr.RoleChange;
import org.rackweave.eafr.RolePlanner;
import org.rackweave.eafr.RoleRules;
import org.rackweave.eafr.ServerRole;
import org.rackweave.hdfs.RolesConfig;
import org.rackweave.hdfs.roles.PlannedRoles.Outlook;
import org.rackweave.hdfs.roles.PlannedRoles.StayReason;
import org.rackweave.hdfs.roles.SleepLookup.Look;
import org.rackweave.hdfs.roles.SleepingServer.Reason;

/**
 * One look at all servers, and what the planner makes of it. Changes nothing. For one thread, and
 * to be asked once.
 */
final class RoleRound {
  /** Servers that begin to fall asleep in an interval: HDFS looks at all their blocks at once. */
  private static final int ASLEEP_MAX = 10;

  /**
   * Blocks after which no other server is looked at, whose turn comes in a later interval. It takes
   * some seconds, in which nobody is woken for a failure and no operator is answered; the last
   * server may add the blocks that it has.
   */
  private static final long LOOKED_AT_MAX = 2_000_000;

  /** Intervals until a server is looked at again that could not fall asleep. */
  private static final int INTERVALS_REFUSED = 5;

  /** Most DataNodes that are on their way back at a time to verify. */
  static final int VERIFIES_MAX = 20;

  private static final Set<Reason> VERIFYING = Set.of(Reason.VERIFY, Reason.LATE_UPDATES);

  private final RolesView view;
  private final RolesConfig config;
  private final RolePlanner planner;
  private final SleepScan scan;
  private final SleepCycle cycle;
  private final Map<DatanodeDescriptor, Look> refused = new LinkedHashMap<>();
  private final Map<Integer, StayReason> reasons = new HashMap<>();
  private final Function<DatanodeDescriptor, StayReason> machines;
  private final BiPredicate<String, ServerRole> asked;
  private int asleep;

  /**
   * @param reserveBytes free space below which a standby server is full
   * @param machines why a server's machine has to stay awake, {@code null} for nothing
   * @param asked whether a server, by its UUID, may get a role; of others nothing is said
   */
  RoleRound(
      RolesView view,
      RolesConfig config,
      long reserveBytes,
      SleepLookup lookup,
      SleepCycle cycle,
      Function<DatanodeDescriptor, StayReason> machines,
      BiPredicate<String, ServerRole> asked) {
    this.view = view;
    this.config = config;
    this.asked = asked;
    scan = new SleepScan(lookup, view);
    this.cycle = cycle;
    this.machines = machines;
    planner = planner(config, reserveBytes, live());
  }

  /**
   * @param servers of which the configured share may sleep
   */
  static RolePlanner planner(RolesConfig config, long reserveBytes, int servers) {
    return new RolePlanner(
        new RoleRules(
            reserveBytes,
            config.verifyIntervalMs(),
            VERIFIES_MAX,
            Math.min(config.asleepMax(), (int) (config.coldShare() * servers)),
            true));
  }

  /** Servers that have not failed, those that sleep among them. */
  int live() {
    int live = 0;
    for (int node = 0; node < view.datanodes().size(); node++) {
      live += view.servers().isLive(node) ? 1 : 0;
    }
    return live;
  }

  /**
   * Who is woken to verify.
   *
   * @param wallMs wall clock, as in the records of those that sleep
   */
  List<RoleChange> toVerify(long wallMs) {
    long[] sinceMs = new long[view.datanodes().size()];
    Arrays.fill(sinceMs, wallMs); // of those that nobody asked about
    int verifying = 0;
    for (SleepingServer sleeper : cycle.sleepers()) {
      Integer node = view.numbers().get(sleeper.server().uuid());
      if (node != null && isAsked(node, ServerRole.STANDBY)) {
        sinceMs[node] = sleeper.server().sinceMs();
      }
      verifying += sleeper.reason() != null && VERIFYING.contains(sleeper.reason()) ? 1 : 0;
    }
    return planner.toVerify(
        view.servers(), sinceMs, this::hasTooManyLateUpdates, verifying, wallMs);
  }

  private boolean hasTooManyLateUpdates(int node) {
    return isAsked(node, ServerRole.STANDBY)
        && cycle.lateUpdates(uuid(node)) >= config.lateUpdatesMax();
  }

  private boolean isAsked(int node, ServerRole to) {
    return asked.test(uuid(node), to);
  }

  private String uuid(int node) {
    return view.datanodes().get(node).getDatanodeUuid();
  }

  boolean hasHotServer() {
    return view.servers().hotServers() > 0;
  }

  /** Who falls asleep, as nobody does without a hot server. */
  List<RoleChange> toCold(long nowMs) {
    if (!hasHotServer()) {
      return List.of();
    }
    List<RoleChange> changes =
        planner.toCold(view.servers(), this::keepsEveryBlockAwake, node -> isHindered(node, nowMs));
    Set<Integer> chosen = changes.stream().map(RoleChange::node).collect(Collectors.toSet());
    BitSet asleep = view.servers().asleep();
    chosen.forEach(asleep::set);
    StayReason others = null; // the same of all that are left
    for (int node : planner.sleepy(view.servers())) {
      if (isAsked(node, ServerRole.COLD) && !chosen.contains(node)) {
        if (others == null) {
          asleep.set(node);
          others =
              planner.isEnough(view.servers(), asleep) ? StayReason.COLD_SHARE : StayReason.READS;
        }
        reasons.putIfAbsent(node, others);
      }
    }
    return changes;
  }

  private boolean keepsEveryBlockAwake(int node, BitSet others) {
    if (scan.keepsEveryBlockAwake(node, others)) {
      asleep++;
      return true;
    }
    refused.put(view.datanodes().get(node), scan.last());
    reasons.put(node, why(scan.last()));
    return false;
  }

  private boolean isHindered(int node, long nowMs) {
    if (!isAsked(node, ServerRole.COLD)) {
      return true;
    }
    StayReason why = hindrance(view.datanodes().get(node), nowMs);
    if (why != null) {
      reasons.put(node, why);
    }
    return why != null;
  }

  private StayReason hindrance(DatanodeDescriptor datanode, long nowMs) {
    StayReason machine = machines.apply(datanode);
    if (machine != null) {
      return machine;
    }
    if (asleep >= ASLEEP_MAX || isLookedThrough()) {
      return StayReason.NEXT_INTERVAL;
    }
    if (RolesView.isBusy(datanode)) {
      return StayReason.BUSY;
    }
    return cycle.isResting(datanode.getDatanodeUuid(), nowMs) ? StayReason.RESTING : null;
  }

  private boolean isLookedThrough() {
    return scan.looked() >= LOOKED_AT_MAX;
  }

  private static StayReason why(Look look) {
    return switch (look) {
      case WRITTEN -> StayReason.WRITTEN;
      case ERASURE_CODED -> StayReason.ERASURE_CODED;
      default -> StayReason.NEEDED;
    };
  }

  /** Servers whose blocks were looked at and that stay awake for one of them. */
  Map<DatanodeDescriptor, Look> refused() {
    return refused;
  }

  /** Intervals that these rest: others who wait for their turn have it first. */
  int intervalsRefused() {
    if (!isLookedThrough()) {
      return INTERVALS_REFUSED;
    }
    int rounds =
        1 + stayingAwake().getOrDefault(StayReason.NEXT_INTERVAL, 0) / (asleep + refused.size());
    return Math.max(INTERVALS_REFUSED, rounds);
  }

  /** How many servers stay awake for which reason. */
  private Map<StayReason, Integer> stayingAwake() {
    Map<StayReason, Integer> awake = new EnumMap<>(StayReason.class);
    reasons.values().forEach(why -> awake.merge(why, 1, Integer::sum));
    return awake;
  }

  /** A change that cannot be made after all. */
  void failed(RoleChange change) {
    reasons.put(change.node(), StayReason.FAILED);
  }

  /**
   * Why a change is not made, once it is known which are.
   *
   * @param to the role that the server was to get
   */
  StayReason why(String uuid, ServerRole to) {
    Integer node = view.numbers().get(uuid);
    if (node == null) {
      return StayReason.GONE;
    }
    if (!view.servers().isLive(node) && cycle.sleeper(uuid) == null) {
      return StayReason.OUT_OF_SERVICE;
    }
    if (to == ServerRole.COLD) {
      return hasHotServer()
          ? reasons.getOrDefault(node, StayReason.CHANGED_MEANWHILE)
          : StayReason.NO_HOT_SERVER;
    }
    boolean isCold = view.servers().role(node) == ServerRole.COLD;
    return isCold ? StayReason.NEXT_INTERVAL : StayReason.CHANGED_MEANWHILE;
  }

  DatanodeDescriptor datanode(RoleChange change) {
    return view.datanodes().get(change.node());
  }

  /** For people. */
  String describe(RoleChange change) {
    return change.describe(view.place(change.node()));
  }

  /**
   * All of it, for operators.
   *
   * @param maySleep whether servers may fall asleep
   * @param wallMs wall clock, as in {@link #toVerify}
   */
  PlannedRoles planned(boolean maySleep, long wallMs, long nowMs) {
    List<RoleChange> changes = new ArrayList<>(toVerify(wallMs));
    if (maySleep) {
      changes.addAll(toCold(nowMs));
    }
    return planned(hasHotServer() ? Outlook.READY : Outlook.NO_HOT_SERVER, changes);
  }

  /** No change, because none is made now. */
  PlannedRoles nothing(Outlook why) {
    return planned(why, List.of());
  }

  private PlannedRoles planned(Outlook outlook, List<RoleChange> changes) {
    return new PlannedRoles(
        outlook,
        changes.stream().map(this::step).toList(),
        Collections.unmodifiableMap(stayingAwake()),
        view.servers().coldServers(),
        planner.rules().coldMax());
  }

  private PlannedRoles.Step step(RoleChange change) {
    DatanodeDescriptor datanode = datanode(change);
    return new PlannedRoles.Step(
        view.place(change.node()),
        datanode.getDatanodeUuid(),
        datanode.getNetworkLocation(),
        change);
  }
}
