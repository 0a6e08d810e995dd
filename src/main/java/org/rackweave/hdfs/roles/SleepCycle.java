package org.rackweave.hdfs.roles;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.RolesConfig;
import org.rackweave.hdfs.roles.SleepingServer.Phase;
import org.rackweave.hdfs.roles.SleepingServer.Reason;
import org.rackweave.history.Event.Kind;
import org.rackweave.history.EventLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes cold servers through their cycle, each step only when the one before has come about:
 *
 * <ol>
 *   <li>a record in HDFS, so that every NameNode knows;
 *   <li>maintenance, which HDFS grants when every block has a live replica elsewhere;
 *   <li>time for standby NameNodes to read the record;
 *   <li>the power command; and back again:
 *   <li>the power command, again and again until the server is heard of;
 *   <li>its full report of blocks;
 *   <li>the record's end, and with it that of the maintenance.
 * </ol>
 *
 * <p>A NameNode that becomes active wakes those whose replicas it does not know; until they have
 * reported it holds copies back. One that is standby does as the records say. A server that does
 * not come back in time is given up: HDFS makes its replicas again, as after any failure.
 *
 * <p>For one thread.
 */
final class SleepCycle {
  private static final Logger LOG = LoggerFactory.getLogger(SleepCycle.class);
  private static final LogThrottle ERROR_LOG = LogThrottle.oncePerMinute();

  /** HDFS ceases to wait for a server after so many verify intervals, should nobody wake it. */
  private static final int INTERVALS_ASLEEP_MAX = 2;

  /** A server is woken so many times until nobody waits for it any more. */
  private static final int WAKES = 5;

  private final Supplier<RolesConfig> config;
  private final DatanodeManager datanodes;
  private final SleepLookup lookup;
  private final RoleStore store;
  private final SleepingHosts hosts;
  private final PowerHook power;
  private final MachineUse machines;
  private final EventLog events;
  private final SleepCounts counts;
  private final Map<String, SleepingServer> sleepers = new LinkedHashMap<>();

  /** When servers that were woken may sleep again, monotonic; no more than there are servers. */
  private final Map<String, Long> restUntilMs = new HashMap<>();

  /** Of those the servers that a failure woke: they are hot meanwhile. */
  private final Set<String> neededByFailure = new HashSet<>();

  private RoleRecords followed = RoleRecords.NONE;

  /**
   * What a NameNode has for this.
   *
   * @param events told of every step
   */
  record Tools(
      DatanodeManager datanodes,
      SleepLookup lookup,
      RoleStore store,
      SleepingHosts hosts,
      PowerHook power,
      MachineUse machines,
      EventLog events) {}

  SleepCycle(Supplier<RolesConfig> config, Tools tools, SleepCounts counts) {
    this.config = config;
    datanodes = tools.datanodes();
    lookup = tools.lookup();
    store = tools.store();
    hosts = tools.hosts();
    power = tools.power();
    machines = tools.machines();
    events = tools.events();
    this.counts = counts;
  }

  /** Does as the records say, while another NameNode is active. */
  void follow() {
    sleepers.clear();
    RoleRecords now = store.read();
    if (now == followed) {
      return;
    }
    Set<String> before = followed.cold().keySet();
    publish(now.cold().values());
    for (DatanodeDescriptor datanode : datanodes.getDatanodes()) {
      String uuid = datanode.getDatanodeUuid();
      if (now.cold().containsKey(uuid)) {
        // One that is dead already has lost its replicas here, and must not look as if it slept.
        if (datanode.isAlive() && !datanode.isMaintenance()) {
          lookup.beginMaintenance(datanode, hosts.sleepsUntilMs(uuid));
        }
      } else if (before.contains(uuid)) {
        lookup.endMaintenance(datanode);
      }
    }
    followed = now;
  }

  /** This NameNode has become active. */
  void begin(long nowMs) {
    sleepers.clear();
    restUntilMs.clear();
    neededByFailure.clear();
    followed = RoleRecords.NONE;
    for (ColdServer server : store.read().cold().values()) {
      SleepingServer sleeper = new SleepingServer(server, nowMs);
      sleeper.sentToSleep(); // perhaps, by the NameNode that was active
      sleepers.put(server.uuid(), sleeper);
      DatanodeDescriptor datanode = datanodes.getDatanode(server.uuid());
      if (datanode == null || !datanode.isAlive() && !isKept(datanode)) {
        wake(sleeper, Reason.RESTART, nowMs);
      } else if (!datanode.isAlive()) {
        sleeper.asleep(datanode.numBlocks(), nowMs);
      }
    }
    publish();
    for (SleepingServer sleeper : sleepers.values()) {
      DatanodeDescriptor datanode = datanodes.getDatanode(sleeper.server().uuid());
      if (sleeper.phase() == Phase.ENTERING) {
        lookup.beginMaintenance(datanode, hosts.sleepsUntilMs(sleeper.server().uuid()));
      }
    }
    if (!sleepers.isEmpty()) {
      LOG.info(
          "{} DataNodes are cold; {} of them are woken because their replicas are unknown to"
              + " this NameNode",
          sleepers.size(),
          unheard());
    }
  }

  /** Whether the replicas of a dead server are still known. */
  private static boolean isKept(DatanodeDescriptor datanode) {
    return datanode.isMaintenance() && datanode.numBlocks() > 0;
  }

  /** Servers whose replicas are not known and that have not reported yet. */
  int unheard() {
    int unheard = 0;
    for (SleepingServer sleeper : sleepers.values()) {
      unheard += sleeper.reason() == Reason.RESTART && !hasReported(sleeper) ? 1 : 0;
    }
    return unheard;
  }

  Collection<SleepingServer> sleepers() {
    return sleepers.values();
  }

  /** The server's way through its cycle, {@code null} for one that is not cold. */
  SleepingServer sleeper(String uuid) {
    return sleepers.get(uuid);
  }

  /** Blocks of a server that have changed while it sleeps. */
  int lateUpdates(String uuid) {
    SleepingServer sleeper = sleepers.get(uuid);
    DatanodeDescriptor datanode = datanodes.getDatanode(uuid);
    return sleeper == null || datanode == null ? 0 : sleeper.lateUpdates(datanode.numBlocks());
  }

  /** Whether a server was woken not long ago, or would not fall asleep. */
  boolean isResting(String uuid, long nowMs) {
    return restUntilMs.getOrDefault(uuid, Long.MIN_VALUE) > nowMs;
  }

  /** Whether a server is hot, whatever its role, because a failure has woken it (3.2.1). */
  boolean isHot(String uuid) {
    return neededByFailure.contains(uuid);
  }

  void rest(String uuid, long untilMs) {
    restUntilMs.put(uuid, untilMs);
  }

  void forgetRested(long nowMs) {
    restUntilMs.values().removeIf(until -> until <= nowMs);
    neededByFailure.retainAll(restUntilMs.keySet());
  }

  /**
   * Begins to put a server to sleep.
   *
   * @param why for people
   * @throws IOException when that cannot be kept, and nothing has changed
   */
  void toSleep(DatanodeDescriptor datanode, String why, long nowMs) throws IOException {
    ColdServer server = ColdServer.of(datanode, Time.now());
    store.addCold(server);
    neededByFailure.remove(server.uuid());
    SleepingServer sleeper = new SleepingServer(server, nowMs);
    sleepers.put(server.uuid(), sleeper);
    tell(sleeper, "falls asleep: " + why);
    publish();
    lookup.beginMaintenance(datanode, hosts.sleepsUntilMs(server.uuid()));
  }

  private void tell(SleepingServer sleeper, String text) {
    ColdServer server = sleeper.server();
    LOG.info("{} {}", sleeper.describe(), text);
    events.add(
        Kind.SLEEP, server.address() + ':' + server.port(), () -> server.place() + ' ' + text);
  }

  /** Begins to wake a server, or goes on. */
  void wake(SleepingServer sleeper, Reason reason, long nowMs) {
    if (sleeper.phase() == Phase.WAKING) {
      return;
    }
    tell(sleeper, "is woken: " + reason);
    counts.addWoken(reason);
    sleeper.wake(reason, nowMs);
    sleeper.commanded(power.begin(PowerHook.Order.WAKE, sleeper.server()));
  }

  /** Turns servers back that have begun to fall asleep and are on yet. */
  void keepAwake(long nowMs) {
    for (SleepingServer sleeper : sleepers.values()) {
      if (sleeper.phase() == Phase.ENTERING || sleeper.phase() == Phase.SETTLING) {
        wake(sleeper, Reason.OPERATOR, nowMs);
      }
    }
  }

  /**
   * Takes every server one step further.
   *
   * @param mayWrite whether records can end, as they cannot in safe mode
   */
  void goOn(boolean mayWrite, long nowMs) {
    for (SleepingServer sleeper : new ArrayList<>(sleepers.values())) {
      DatanodeDescriptor datanode = datanodes.getDatanode(sleeper.server().uuid());
      if (!isThere(datanode) || lookup.isStale(datanode)) {
        sleeper.silent(nowMs);
      }
      try {
        switch (sleeper.phase()) {
          case ENTERING -> entering(sleeper, datanode, nowMs);
          case SETTLING -> settling(sleeper, datanode, nowMs);
          case SWITCHING_OFF -> switchingOff(sleeper, datanode, nowMs);
          case ASLEEP -> asleep(sleeper, datanode, mayWrite, nowMs);
          default -> waking(sleeper, datanode, mayWrite, nowMs);
        }
      } catch (IOException e) {
        if (ERROR_LOG.shouldLog()) {
          LOG.warn("The record of {} cannot be changed now", sleeper.describe(), e);
        }
      }
    }
  }

  private void entering(SleepingServer sleeper, DatanodeDescriptor datanode, long nowMs) {
    if (datanode == null || !datanode.isAlive()) {
      sleeper.asleep(datanode == null ? 0 : datanode.numBlocks(), nowMs); // by itself
    } else if (datanode.isInMaintenance()) {
      sleeper.enter(Phase.SETTLING, nowMs);
    } else if (nowMs - sleeper.sinceMs() > config.get().wakeTimeoutMs()) {
      tell(sleeper, "stays awake: HDFS does not let it into maintenance");
      counts.add(SleepCounts.Count.REFUSED);
      wake(sleeper, Reason.NO_SLEEP, nowMs);
    }
  }

  private void settling(SleepingServer sleeper, DatanodeDescriptor datanode, long nowMs) {
    if (isWantedElsewhere(datanode)) {
      wake(sleeper, Reason.EXCLUDED, nowMs);
    } else if (datanode != null
        && machines.hindrances(datanodes.getDatanodes()).apply(datanode) != null) {
      tell(sleeper, "stays awake: its machine is needed");
      counts.add(SleepCounts.Count.REFUSED);
      wake(sleeper, Reason.NO_SLEEP, nowMs);
    } else if (nowMs - sleeper.sinceMs() >= config.get().settleMs() && !isNeededNow(datanode)) {
      // Before the command has ended the server may be off already.
      sleeper.switchOff(datanode == null ? 0 : datanode.numBlocks(), nowMs);
      sleeper.sentToSleep();
      sleeper.commanded(power.begin(PowerHook.Order.SLEEP, sleeper.server()));
    } else if (nowMs - sleeper.sinceMs()
        >= config.get().settleMs() + config.get().wakeTimeoutMs()) {
      tell(sleeper, "stays awake: it is in use, or other DataNodes are silent");
      counts.add(SleepCounts.Count.REFUSED);
      wake(sleeper, Reason.NO_SLEEP, nowMs);
    }
  }

  /**
   * Whether a server is in use, or soon may be: another one that is not heard of may be the only
   * other one with some of its blocks, and HDFS does not count it as failed yet.
   */
  private boolean isNeededNow(DatanodeDescriptor datanode) {
    return datanode != null && RolesView.isBusy(datanode)
        || datanodes.getDatanodes().stream()
            .anyMatch(other -> other.isAlive() && other.isInService() && lookup.isStale(other));
  }

  private void switchingOff(SleepingServer sleeper, DatanodeDescriptor datanode, long nowMs) {
    PowerHook.Outcome outcome = sleeper.outcome(nowMs);
    if (outcome == null) {
      return;
    }
    if (outcome.isDone()) {
      counts.add(SleepCounts.Count.FALLEN_ASLEEP);
      tell(sleeper, "is asleep");
      sleeper.asleep(datanode == null ? 0 : datanode.numBlocks(), nowMs);
    } else {
      // Nobody knows whether it is off, or will be; after this it is on.
      counts.add(SleepCounts.Count.COMMANDS_FAILED);
      wake(sleeper, Reason.NO_SLEEP, nowMs);
    }
  }

  private void asleep(
      SleepingServer sleeper, DatanodeDescriptor datanode, boolean mayWrite, long nowMs)
      throws IOException {
    if (datanode == null) {
      return; // forgotten by HDFS; it is woken like others
    }
    if (!hosts.operators().isIncluded(datanode)) {
      if (mayWrite) {
        tell(sleeper, "no longer belongs to this cluster");
        end(sleeper, datanode);
      }
    } else if (isWantedElsewhere(datanode)) {
      wake(sleeper, Reason.EXCLUDED, nowMs);
    }
  }

  private boolean isWantedElsewhere(DatanodeDescriptor datanode) {
    return datanode != null && hosts.operators().isExcluded(datanode);
  }

  private void waking(
      SleepingServer sleeper, DatanodeDescriptor datanode, boolean mayWrite, long nowMs)
      throws IOException {
    if (sleeper.isCommanded()) {
      PowerHook.Outcome outcome = sleeper.outcome(nowMs);
      if (outcome == null) {
        return;
      }
      if (!outcome.isDone()) {
        counts.add(SleepCounts.Count.COMMANDS_FAILED);
      }
      if (sleeper.wakeUntilMs() == Long.MAX_VALUE) {
        sleeper.waitUntil(nowMs + config.get().wakeTimeoutMs());
      }
    }
    if (!mayWrite) {
      // In safe mode reports take their time, and nothing is copied meanwhile.
      sleeper.waitUntil(nowMs + config.get().wakeTimeoutMs());
    }
    if (hasReported(sleeper) && isOnForGood(sleeper, datanode)) {
      if (mayWrite) {
        back(sleeper, datanode, nowMs);
      }
    } else if (nowMs
        >= sleeper.wakeUntilMs() + (isThere(datanode) ? config.get().wakeTimeoutMs() : 0)) {
      if (mayWrite) {
        giveUp(sleeper, datanode);
      }
    } else if (nowMs - sleeper.commandEndedMs() >= config.get().wakeTimeoutMs() / WAKES
        && !isHeardOf(sleeper, datanode)) {
      sleeper.commanded(power.begin(PowerHook.Order.WAKE, sleeper.server()));
    }
  }

  private boolean isHeardOf(SleepingServer sleeper, DatanodeDescriptor datanode) {
    return datanode != null
        && datanode.getLastUpdateMonotonic() >= sleeper.sinceMs()
        && !lookup.isStale(datanode);
  }

  /**
   * Whether a server that is heard of will not go off by an order to sleep that it obeys late: it
   * was silent and has reported all its blocks since, as after a start, or has outlived the order.
   */
  private boolean isOnForGood(SleepingServer sleeper, DatanodeDescriptor datanode) {
    long orderMs = Math.min(config.get().powerTimeoutMs(), config.get().wakeTimeoutMs());
    return !power.isThere()
        || !sleeper.isSentToSleep()
        || (sleeper.silentMs() > 0 && datanode.getLastBlockReportMonotonic() > sleeper.silentMs())
        || datanode.getLastUpdateMonotonic() - sleeper.commandEndedMs() >= orderMs;
  }

  /** Whether a server is heard of, though it may not have reported its blocks yet. */
  private static boolean isThere(DatanodeDescriptor datanode) {
    return datanode != null && datanode.isAlive();
  }

  /** Whether a server that is woken is there, with all its replicas. */
  private boolean hasReported(SleepingServer sleeper) {
    DatanodeDescriptor datanode = datanodes.getDatanode(sleeper.server().uuid());
    return datanode != null
        && datanode.isAlive()
        && !sleeper.isCommanded()
        && datanode.getLastUpdateMonotonic() > sleeper.commandEndedMs()
        && datanode.checkBlockReportReceived();
  }

  private void back(SleepingServer sleeper, DatanodeDescriptor datanode, long nowMs)
      throws IOException {
    end(sleeper, datanode);
    counts.add(SleepCounts.Count.BACK);
    String uuid = sleeper.server().uuid();
    rest(uuid, nowMs + config.get().awakeMinMs());
    if (sleeper.reason() == Reason.FAILURE) {
      neededByFailure.add(uuid);
      if (config.get().choice() == RolesConfig.Choice.DRAWN) {
        store.removeStandby(uuid); // another one is drawn
      }
    }
    tell(sleeper, "is awake: " + sleeper.reason());
  }

  private void giveUp(SleepingServer sleeper, DatanodeDescriptor datanode) throws IOException {
    end(sleeper, datanode);
    counts.add(SleepCounts.Count.GIVEN_UP);
    tell(sleeper, "has not reported and counts as failed");
    LOG.error(
        "{} was woken {} ms ago and has not reported; it counts as failed, and HDFS"
            + " re-creates its replicas",
        sleeper.describe(),
        config.get().wakeTimeoutMs());
  }

  private void end(SleepingServer sleeper, DatanodeDescriptor datanode) throws IOException {
    store.removeCold(sleeper.server());
    sleepers.remove(sleeper.server().uuid());
    publish();
    if (datanode != null) {
      lookup.endMaintenance(datanode);
    }
  }

  /** Those that are woken because they are not known are in service as soon as they are there. */
  private void publish() {
    List<ColdServer> kept = new ArrayList<>();
    for (SleepingServer sleeper : sleepers.values()) {
      if (sleeper.reason() != Reason.RESTART) {
        kept.add(sleeper.server());
      }
    }
    publish(kept);
  }

  private void publish(Collection<ColdServer> cold) {
    Map<String, Long> untilMs = new HashMap<>();
    long asleepMs = INTERVALS_ASLEEP_MAX * config.get().verifyIntervalMs();
    for (ColdServer server : cold) {
      untilMs.put(server.uuid(), server.sinceMs() + asleepMs);
    }
    hosts.setMaintenance(untilMs);
  }
}
