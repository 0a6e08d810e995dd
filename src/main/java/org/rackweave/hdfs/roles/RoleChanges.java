package org.rackweave.hdfs.roles;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.eafr.RoleChange;
import org.rackweave.hdfs.roles.PlannedRoles.StayReason;
import org.rackweave.hdfs.roles.SleepingServer.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out what the planner makes of servers' roles. For one thread. */
final class RoleChanges {
  private static final Logger LOG = LoggerFactory.getLogger(RoleChanges.class);

  private final SleepCycle cycle;
  private final LongSupplier intervalMs;

  RoleChanges(SleepCycle cycle, LongSupplier intervalMs) {
    this.cycle = cycle;
    this.intervalMs = intervalMs;
  }

  /**
   * Wakes who is to verify, and puts others to sleep.
   *
   * @param maySleep whether servers may fall asleep
   * @param wallMs wall clock
   * @return UUIDs of the servers whose roles change
   */
  Set<String> carryOut(RoleRound round, boolean maySleep, long wallMs, long nowMs) {
    Set<String> changed = new HashSet<>();
    for (RoleChange change : round.toVerify(wallMs)) {
      LOG.info("{}", round.describe(change));
      String uuid = round.datanode(change).getDatanodeUuid();
      cycle.wake(
          cycle.sleeper(uuid),
          change.reason() == RoleChange.Reason.VERIFY ? Reason.VERIFY : Reason.LATE_UPDATES,
          nowMs);
      changed.add(uuid);
    }
    if (!maySleep) {
      return changed;
    }
    List<RoleChange> changes = round.toCold(nowMs);
    long restUntilMs = nowMs + round.intervalsRefused() * intervalMs.getAsLong();
    round
        .refused()
        .forEach(
            (datanode, why) -> {
              LOG.info("{} stays awake: {}", datanode, why);
              cycle.rest(datanode.getDatanodeUuid(), restUntilMs);
            });
    for (RoleChange change : changes) {
      DatanodeDescriptor datanode = round.datanode(change);
      try {
        cycle.toSleep(datanode, round.describe(change), nowMs);
        changed.add(datanode.getDatanodeUuid());
      } catch (IOException e) {
        LOG.warn("{} stays awake because its role cannot be stored", datanode, e);
        round.failed(change);
      }
    }
    return changed;
  }

  /**
   * Carries out what an operator has seen, as far as the planner still says so.
   *
   * @param round that was asked about the plan's changes only
   * @param wallMs wall clock
   * @return why others' roles stay as they are, by UUID
   */
  Map<String, StayReason> apply(PlannedRoles plan, RoleRound round, long wallMs, long nowMs) {
    Set<String> changed = carryOut(round, true, wallMs, nowMs);
    Map<String, StayReason> left = new HashMap<>();
    for (PlannedRoles.Step step : plan.steps()) {
      if (!changed.contains(step.uuid())) {
        left.put(step.uuid(), round.why(step.uuid(), step.change().to()));
      }
    }
    return left;
  }
}
