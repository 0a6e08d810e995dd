package org.rackweave.hdfs.roles;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.rackweave.hdfs.roles.PlannedRoles.StayReason;
import org.rackweave.hdfs.roles.SleepingServer.Reason;

/** What operators say about servers that sleep, and what they are told. For one thread. */
public final class RolesAdmin {
  private final ServerRoles roles;
  private final DatanodeManager datanodes;
  private final SleepLookup lookup;
  private final SleepCycle cycle;
  private final MachineUse machines;

  RolesAdmin(
      ServerRoles roles,
      DatanodeManager datanodes,
      SleepLookup lookup,
      SleepCycle cycle,
      MachineUse machines) {
    this.roles = roles;
    this.datanodes = datanodes;
    this.lookup = lookup;
    this.cycle = cycle;
    this.machines = machines;
  }

  /**
   * Puts a server to sleep because an operator says so, full or not.
   *
   * @throws IllegalStateException saying why it stays awake
   */
  public String sleep(String host, long nowMs) {
    DatanodeDescriptor datanode = named(host);
    SleepingServer before = cycle.sleeper(datanode.getDatanodeUuid());
    if (before != null) {
      throw new IllegalStateException(host + " is cold: " + label(before.phase()));
    }
    if (!datanode.isAlive() || !datanode.isInService()) {
      throw new IllegalStateException(host + " is not in service: " + datanode.getAdminState());
    }
    RolesView view = roles.view();
    StayReason machine = machines.hindrances(view.datanodes()).apply(datanode);
    if (machine != null) {
      throw new IllegalStateException(host + " stays awake: " + describe(machine));
    }
    SleepScan scan = new SleepScan(lookup, view);
    BitSet asleep = view.servers().asleep();
    int node = view.numberOf(datanode);
    asleep.set(node);
    if (RolesView.isBusy(datanode)) {
      throw new IllegalStateException(host + " stays awake: it has transfers under way");
    }
    if (!scan.keepsEveryBlockAwake(node, asleep)) {
      throw new IllegalStateException(host + " stays awake: " + describe(scan.last()));
    }
    try {
      cycle.toSleep(datanode, "an operator says so", nowMs);
    } catch (IOException e) {
      throw new IllegalStateException(
          host + " stays awake: its role cannot be kept: " + e.getMessage(), e);
    }
    roles.see();
    return datanode.getDatanodeUuid();
  }

  private static String describe(StayReason why) {
    return switch (why) {
      case NAMESPACES_UNKNOWN -> "its agent has not reported which namespaces it serves";
      case OTHER_NAMESPACE -> "it serves another namespace, too";
      case SHARED_MACHINE -> "another DataNode runs on its machine";
      case OTHER_SERVICE -> "a NameNode or a JournalNode runs on its machine";
      case SERVICES_UNKNOWN -> "which machines NameNodes and JournalNodes run on is not known";
      default -> label(why);
    };
  }

  private static String describe(SleepLookup.Look why) {
    return switch (why) {
      case NEEDED -> "a block has too few other replicas that are awake";
      case WRITTEN -> "a block is being written";
      case ERASURE_CODED -> "it has erasure-coded blocks, of which none may be missing";
      default -> label(why);
    };
  }

  /**
   * Wakes a server because an operator says so.
   *
   * @param host {@code all} for all that are cold
   * @return how many are being woken
   * @throws IllegalStateException when it does not sleep
   */
  public int wake(String host, long nowMs) {
    List<SleepingServer> wanted = new ArrayList<>();
    for (SleepingServer sleeper : cycle.sleepers()) {
      ColdServer server = sleeper.server();
      if (host.equals("all")
          || host.equals(server.host())
          || host.equals(server.address())
          || host.equals(server.place())
          || host.equals(server.address() + ':' + server.port())) {
        wanted.add(sleeper);
      }
    }
    if (wanted.isEmpty() && !host.equals("all")) {
      throw new IllegalStateException("no DataNode of " + host + " is cold");
    }
    wanted.forEach(sleeper -> cycle.wake(sleeper, Reason.OPERATOR, nowMs));
    return wanted.size();
  }

  private DatanodeDescriptor named(String host) {
    List<DatanodeDescriptor> found =
        datanodes.getDatanodes().stream()
            .filter(datanode -> HostNames.names(datanode).contains(host))
            .toList();
    if (found.size() != 1) {
      throw new IllegalStateException(
          found.isEmpty()
              ? "there is no DataNode of " + host
              : found.size() + " DataNodes are of " + host + "; name one with its port");
    }
    return found.get(0);
  }

  /** All DataNodes, and cold ones that HDFS has not heard of. */
  public List<Map<String, Object>> rows(long nowMs) {
    List<Map<String, Object>> rows = new ArrayList<>();
    Set<String> told = new HashSet<>();
    RolesView view = roles.view();
    Function<DatanodeDescriptor, StayReason> awake = machines.hindrances(view.datanodes());
    for (DatanodeDescriptor datanode : view.datanodes()) {
      told.add(datanode.getDatanodeUuid());
      rows.add(
          row(
              view.place(view.numberOf(datanode)),
              datanode.getDatanodeUuid(),
              datanode.getNetworkLocation(),
              datanode.isAlive() ? datanode.getRemaining() : 0,
              awake.apply(datanode),
              nowMs));
    }
    for (SleepingServer sleeper : cycle.sleepers()) {
      if (!told.contains(sleeper.server().uuid())) {
        rows.add(row(sleeper.server().place(), sleeper.server().uuid(), "", 0, null, nowMs));
      }
    }
    return rows;
  }

  private Map<String, Object> row(
      String place, String uuid, String rack, long freeBytes, StayReason awake, long nowMs) {
    SleepingServer sleeper = cycle.sleeper(uuid);
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("datanode", place);
    row.put("uuid", uuid);
    row.put("rack", rack);
    row.put("role", label(roles.roleOf(uuid)));
    row.put("phase", sleeper == null ? "" : label(sleeper.phase()));
    row.put("reason", sleeper == null || sleeper.reason() == null ? "" : label(sleeper.reason()));
    row.put("stays_awake", sleeper != null || awake == null ? "" : label(awake));
    row.put("phase_s", sleeper == null ? 0 : (nowMs - sleeper.sinceMs()) / 1000);
    row.put("late_updates", cycle.lateUpdates(uuid));
    row.put("free_bytes", freeBytes);
    return row;
  }

  private static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
