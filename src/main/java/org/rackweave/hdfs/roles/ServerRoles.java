package org.rackweave.hdfs.roles;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.Time;
import org.rackweave.eafr.RoleAssignment;
import org.rackweave.eafr.RoleChange;
import org.rackweave.eafr.RolePlanner;
import org.rackweave.eafr.ServerRole;
import org.rackweave.eafr.Servers;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.EafrConfig;
import org.rackweave.hdfs.RolesConfig;
import org.rackweave.hdfs.hook.ActiveService;
import org.rackweave.hdfs.roles.PlannedRoles.Outlook;
import org.rackweave.hdfs.roles.PlannedRoles.StayReason;
import org.rackweave.hdfs.roles.SleepingServer.Phase;
import org.rackweave.hdfs.roles.SleepingServer.Reason;
import org.rackweave.history.Event.Kind;
import org.rackweave.history.EventLog;
import org.rackweave.model.ClusterTopology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which DataNodes of a NameNode are hot, standby and cold. Asks the planner once an interval who is
 * to sleep and who to verify, looks all the time for blocks that only cold ones have, and leaves
 * the rest to {@link SleepCycle}.
 *
 * <p>For one thread, but for what is said to be for any.
 */
public final class ServerRoles implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServerRoles.class);

  /** How often to {@link #tick}. */
  public static final long ROUND_MS = 500;

  /** How often named hosts are looked up, and machines' loads looked at. */
  private static final long LOOK_UP_MS = 5000;

  /** How often it is looked whether too many read for those that serve. */
  private static final long FOLLOW_MS = 5000;

  /** Urgent blocks looked at in a round. */
  private static final int URGENT = 5000;

  /** Those that a hold of the lock may have to pass over; behind it one waits for its turn. */
  private static final int URGENT_FROM_MAX = 100_000;

  /** Roles as others see them: a set that is replaced as a whole. */
  private record Seen(Set<String> standby, Set<String> cold) {}

  private final NameNode nameNode;
  private final Supplier<EafrConfig> settings;
  private final DatanodeManager datanodes;
  private final SleepLookup lookup;
  private final RoleStore store;
  private final PowerHook power;
  private final MachineUse machines;
  private final SleepCycle cycle;
  private final SleepCounts counts = new SleepCounts();
  private final WakeHold hold;
  private final EnergyMeter energy;
  private final RoleChanges changes;
  private final RolesAdmin admin;
  private final SplittableRandom random;
  private volatile Seen seen = new Seen(Set.of(), Set.of());

  private final ActiveService service;
  private final EventLog events;
  private final Function<String, ReadLoad> loads;
  private final BooleanSupplier maySleep;
  private final BooleanSupplier isSleepOff;

  /** Whether this NameNode's term has begun here. */
  private boolean isBegun;

  /** Whether copies were held back when this was last looked at. */
  private boolean isHeld;

  private long plannedMs;

  /**
   * Standby servers that serve as hot ones for now, and since when; a NameNode that takes over
   * finds them anew.
   */
  private final Map<String, Long> promotedMs = new ConcurrentHashMap<>();

  private long followedMs;
  private int urgentFrom;
  private volatile HostNames names = new HostNames(Map.of(), List.of());
  private long lookedUpMs = Long.MIN_VALUE / 2;
  private long energyMs = Long.MIN_VALUE / 2;

  /**
   * What operators have switched.
   *
   * @param maySleep whether servers may fall asleep by themselves
   * @param isOff whether none may that an operator has put to sleep, either
   */
  public record Switches(BooleanSupplier maySleep, BooleanSupplier isOff) {}

  /**
   * @param loads of DataNodes by UUID, {@code null} where an agent does not tell
   * @param hold that copies of this NameNode heed
   * @param events told of what becomes of servers
   * @throws IllegalStateException when HDFS has not made the {@link SleepingHosts} that it was told
   *     to
   */
  public ServerRoles(
      NameNode nameNode,
      SleepLookup lookup,
      Supplier<EafrConfig> settings,
      Function<String, ReadLoad> loads,
      WakeHold hold,
      EventLog events,
      Switches switches) {
    this.events = events;
    maySleep = switches.maySleep();
    isSleepOff = switches.isOff();
    this.nameNode = nameNode;
    this.lookup = lookup;
    this.settings = settings;
    this.loads = loads;
    this.hold = hold;
    datanodes = nameNode.getNamesystem().getBlockManager().getDatanodeManager();
    if (!(datanodes.getHostConfigManager() instanceof SleepingHosts hosts)) {
      throw new IllegalStateException(
          "dfs.namenode.hosts.provider.classname is "
              + datanodes.getHostConfigManager().getClass().getName()
              + ", and has to be "
              + RolesConfig.HOSTS_PROVIDER);
    }
    RolesConfig atStart = config();
    store = new RoleStore(nameNode, atStart.directory());
    power = new PowerHook(atStart.powerCommand(), () -> config().powerTimeoutMs());
    machines = new MachineUse(() -> MachineUse.services(nameNode.getConf()));
    cycle =
        new SleepCycle(
            this::config,
            new SleepCycle.Tools(datanodes, lookup, store, hosts, power, machines, events),
            counts);
    changes = new RoleChanges(cycle, () -> settings.get().intervalMs());
    energy = new EnergyMeter();
    random = new SplittableRandom(System.nanoTime());
    admin = new RolesAdmin(this, datanodes, lookup, cycle, machines);
    service = new ActiveService(nameNode, this::follow, this::work);
  }

  private RolesConfig config() {
    return settings.get().roles();
  }

  /** Longest time that copies are held back after a NameNode has become active. */
  public static long longestHoldMs(RolesConfig config) {
    return 2 * config.wakeTimeoutMs();
  }

  /** Does what is due, on standby NameNodes and in safe mode, too. */
  public void tick() throws Exception {
    long nowMs = Time.monotonicNow();
    if (nowMs - lookedUpMs >= LOOK_UP_MS) {
      lookedUpMs = nowMs;
      Set<DatanodeDescriptor> all = datanodes.getDatanodes();
      machines.retainOnly(all);
      lookUpNames(all);
    }
    service.tick();
  }

  /** Goes by what another NameNode has decided. */
  private void follow() {
    isBegun = false;
    promotedMs.clear();
    cycle.follow();
    see();
  }

  private void work(long term) {
    long nowMs = Time.monotonicNow();
    isHeld = hold.holds(term, nowMs);
    if (!isBegun) {
      cycle.begin(nowMs);
      plannedMs = nowMs;
      isBegun = true;
    }
    boolean mayWrite = !nameNode.isInSafeMode();
    if (!mayWrite) {
      hold.postpone(term, nowMs);
    }
    if (isSleepOff.getAsBoolean()) {
      cycle.keepAwake(nowMs);
    }
    cycle.goOn(mayWrite, nowMs);
    if (isHeld && cycle.unheard() == 0) {
      hold.release(term, nowMs);
      LOG.info("The replicas of all sleeping DataNodes are known; copies are no longer delayed");
    }
    if (mayWrite) {
      wakeForBlocks(nowMs);
      if (nowMs - followedMs >= FOLLOW_MS) {
        followedMs = nowMs;
        if (!isHeld && maySleep.getAsBoolean()) {
          followReads(nowMs);
        } else {
          promotedMs.clear();
        }
      }
      if (!isHeld && nowMs - plannedMs >= settings.get().intervalMs()) {
        plannedMs = nowMs;
        plan(maySleep.getAsBoolean(), nowMs);
      }
    }
    see();
    if (nowMs - energyMs >= LOOK_UP_MS) {
      energyMs = nowMs;
      energy.look(
          datanodes.getDatanodes(), this::isOff, settings.get().capacity(), System.nanoTime());
    }
  }

  /** Whether a server is off because it sleeps, and not because it failed. */
  private boolean isOff(DatanodeDescriptor datanode) {
    SleepingServer sleeper = cycle.sleeper(datanode.getDatanodeUuid());
    return sleeper != null
        && sleeper.phase() == Phase.ASLEEP
        && (!datanode.isAlive() || datanode.getLastUpdateMonotonic() < sleeper.sinceMs());
  }

  private void lookUpNames(Set<DatanodeDescriptor> all) {
    if (config().choice() != RolesConfig.Choice.NAMED) {
      return;
    }
    HostNames now = HostNames.of(config(), all);
    if (!now.unknown().equals(names.unknown())) {
      LOG.info("Hosts with a role but without a DataNode: {}", now.unknown());
    }
    names = now;
  }

  /** Shows others the roles as they are now. */
  void see() {
    Set<String> cold = new HashSet<>();
    cycle.sleepers().forEach(sleeper -> cold.add(sleeper.server().uuid()));
    RoleRecords records = store.read();
    if (!isBegun) {
      cold.addAll(records.cold().keySet());
    }
    Set<String> standby = new HashSet<>(records.standby());
    if (config().choice() == RolesConfig.Choice.NAMED) {
      standby = new HashSet<>(names.roles().keySet());
    }
    standby.removeIf(cycle::isHot);
    standby.removeAll(promotedMs.keySet());
    Seen now = new Seen(standby, cold);
    if (!now.equals(seen)) {
      seen = now;
    }
  }

  /**
   * A DataNode has sent a heartbeat; for any thread.
   *
   * @param namespaces that its agent says it serves, 0 where it does not say
   */
  public void heard(String datanodeUuid, int namespaces) {
    machines.heard(datanodeUuid, namespaces);
  }

  /** A DataNode's role; for any thread. */
  public ServerRole roleOf(String uuid) {
    Seen now = seen;
    return now.cold().contains(uuid)
        ? ServerRole.COLD
        : now.standby().contains(uuid) ? ServerRole.STANDBY : ServerRole.HOT;
  }

  RolesView view() {
    return RolesView.of(
        datanodes.getDatanodes(),
        settings.get().capacity(),
        datanode -> {
          String uuid = datanode.getDatanodeUuid();
          SleepingServer sleeper = cycle.sleeper(uuid);
          if (sleeper != null) {
            // One that is woken counts as there already, unless it is dead or in maintenance still.
            boolean isWoken = sleeper.phase() == Phase.WAKING;
            ServerRole woken =
                sleeper.reason() == Reason.FAILURE ? ServerRole.HOT : ServerRole.STANDBY;
            return new RolesView.Part(isWoken ? woken : ServerRole.COLD, false, loads.apply(uuid));
          }
          boolean isStandby = seen.standby().contains(uuid);
          return new RolesView.Part(
              isStandby ? ServerRole.STANDBY : ServerRole.HOT,
              names.roles().get(uuid) == ServerRole.COLD,
              loads.apply(uuid));
        });
  }

  /** Wakes who has the only replicas of blocks. */
  private void wakeForBlocks(long nowMs) {
    if (cycle.sleepers().isEmpty()) {
      return;
    }
    SleepLookup.Urgent urgent = lookup.urgent(urgentFrom, URGENT);
    int next = urgentFrom + URGENT;
    urgentFrom = urgent.looked() < URGENT || next >= URGENT_FROM_MAX ? 0 : next;
    List<SleepLookup.AsleepBlock> blocks =
        urgent.blocks().stream().filter(block -> isWakingNeeded(block.holders())).toList();
    if (blocks.isEmpty()) {
      return;
    }
    RolesView view = view();
    List<RolePlanner.AsleepBlock> asleep = new ArrayList<>();
    for (SleepLookup.AsleepBlock block : blocks) {
      asleep.add(
          new RolePlanner.AsleepBlock(
              block.blockId(),
              block.holders().stream()
                  .mapToInt(view::numberOf)
                  .filter(node -> node != ClusterTopology.NONE)
                  .toArray()));
    }
    RolePlanner planner =
        RoleRound.planner(config(), settings.get().reserveBytes(), view.datanodes().size());
    for (RoleChange change : planner.toWake(view.servers(), asleep)) {
      LOG.info("{}", change.describe(view.place(change.node())));
      DatanodeDescriptor datanode = view.datanodes().get(change.node());
      cycle.wake(cycle.sleeper(datanode.getDatanodeUuid()), Reason.FAILURE, nowMs);
    }
  }

  /** Wakes servers, and has standby ones serve as hot, while there are too many reads for fewer. */
  private void followReads(long nowMs) {
    RolesView view = view();
    Servers servers = view.servers();
    RolePlanner planner =
        RoleRound.planner(config(), settings.get().reserveBytes(), view.datanodes().size());
    promotedMs.keySet().retainAll(view.numbers().keySet());
    BitSet waking = new BitSet();
    for (SleepingServer sleeper : cycle.sleepers()) {
      Integer node = view.numbers().get(sleeper.server().uuid());
      if (node != null && sleeper.phase() == Phase.WAKING) {
        waking.set(node);
      }
    }
    for (RoleChange change : planner.toServe(servers, waking)) {
      LOG.info("{}", change.describe(view.place(change.node())));
      cycle.wake(cycle.sleeper(uuid(view, change.node())), Reason.READS, nowMs);
    }
    for (RoleChange change : planner.toHot(servers)) {
      LOG.info("{}", change.describe(view.place(change.node())));
      promotedMs.put(uuid(view, change.node()), nowMs);
    }
    long longEnoughMs = nowMs - settings.get().intervalMs();
    IntPredicate mayGo =
        node -> promotedMs.getOrDefault(uuid(view, node), Long.MAX_VALUE) <= longEnoughMs;
    for (RoleChange change : planner.toStandby(servers, mayGo)) {
      LOG.info("{}", change.describe(view.place(change.node())));
      promotedMs.remove(uuid(view, change.node()));
    }
  }

  private static String uuid(RolesView view, int node) {
    return view.datanodes().get(node).getDatanodeUuid();
  }

  /** Whether one of a block's servers is cold, and none is being woken. */
  private boolean isWakingNeeded(List<DatanodeDescriptor> holders) {
    boolean isAnyCold = false;
    for (DatanodeDescriptor datanode : holders) {
      SleepingServer sleeper = cycle.sleeper(datanode.getDatanodeUuid());
      if (sleeper != null && sleeper.phase() == Phase.WAKING) {
        return false;
      }
      isAnyCold |= sleeper != null;
    }
    return isAnyCold;
  }

  private RoleRound round(RolesView view, BiPredicate<String, ServerRole> asked) {
    return new RoleRound(
        view,
        config(),
        settings.get().reserveBytes(),
        lookup,
        cycle,
        machines.hindrances(view.datanodes()),
        asked);
  }

  /** An interval is over. */
  private void plan(boolean maySleep, long nowMs) {
    cycle.forgetRested(nowMs);
    RolesView view = view();
    if (maySleep && config().choice() == RolesConfig.Choice.DRAWN) {
      draw(view);
    }
    RoleRound round = round(view, (uuid, to) -> true);
    if (maySleep && !round.hasHotServer() && round.live() > 0) {
      LOG.warn("None of {} DataNodes is hot; none is put to sleep", round.live());
    }
    changes.carryOut(round, maySleep, Time.now(), nowMs);
  }

  /**
   * What the end of an interval would change now; changes nothing.
   *
   * @param maySleep whether servers may fall asleep
   */
  public PlannedRoles planned(boolean maySleep, long nowMs) {
    RoleRound round = round(view(), (uuid, to) -> true);
    return isHeld
        ? round.nothing(Outlook.COPIES_HELD_BACK)
        : round.planned(maySleep, Time.now(), nowMs);
  }

  /**
   * Carries out what an operator has seen; each server is looked at again.
   *
   * @return why roles stay as they are that are not changed, by the server's UUID
   */
  public Map<String, StayReason> apply(PlannedRoles plan, long nowMs) {
    RoleRound round = round(view(), plan::has);
    Map<String, StayReason> left = changes.apply(plan, round, Time.now(), nowMs);
    see();
    return left;
  }

  /** Draws what is missing from each rack's share of standby servers. */
  private void draw(RolesView view) {
    Set<String> before = store.read().standby();
    ServerRole[] roles =
        RoleAssignment.drawn(
            view.servers().topology(),
            config().standbyShare(),
            node -> before.contains(view.datanodes().get(node).getDatanodeUuid()),
            random);
    try {
      for (int node = 0; node < roles.length; node++) {
        String uuid = view.datanodes().get(node).getDatanodeUuid();
        if (roles[node] == ServerRole.STANDBY
            && !before.contains(uuid)
            && !cycle.isResting(uuid, Time.monotonicNow())) {
          store.addStandby(uuid);
          DatanodeDescriptor drawn = view.datanodes().get(node);
          LOG.info("{} is drawn as standby", drawn);
          events.add(
              Kind.SLEEP,
              ClusterView.placeOf(drawn),
              () -> ClusterView.placeOf(drawn) + " is drawn as standby");
        }
      }
    } catch (IOException e) {
      LOG.warn("Roles cannot be stored now", e);
    }
  }

  /** What operators say, and are told. */
  public RolesAdmin admin() {
    return admin;
  }

  /** Names in the configuration that no DataNode has. */
  public List<String> unknownHosts() {
    return names.unknown();
  }

  /** For any thread. */
  public RolesMetrics metrics() {
    return new RolesMetrics(this, counts, hold, energy);
  }

  /** Cold servers; for any thread. */
  int cold() {
    return seen.cold().size();
  }

  /** Standby servers that are not cold; for any thread. */
  int standby() {
    Seen now = seen;
    return (int) now.standby().stream().filter(uuid -> !now.cold().contains(uuid)).count();
  }

  /** What sleeping has saved; for any thread. */
  public EnergyMeter.Reading energy() {
    return energy.read(System.nanoTime());
  }

  @Override
  public void close() {
    power.close();
  }
}
