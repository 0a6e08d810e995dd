package org.rackweave.hdfs.roles;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.net.NetUtils;
import org.rackweave.hdfs.roles.PlannedRoles.Stays;
import org.rackweave.telemetry.HeartbeatReportCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What would be switched off with a DataNode besides its replicas of this namespace. This NameNode
 * cannot know whether replicas of another namespace are elsewhere, too, so a DataNode must serve
 * this one alone, as its agent tells on every heartbeat; and its machine must not be that of
 * another DataNode, a NameNode or a JournalNode. Who does not say does not sleep.
 *
 * <p>Soft state: an entry for each DataNode with an agent, known again after a heartbeat.
 */
final class MachineUse {
  private static final Logger LOG = LoggerFactory.getLogger(MachineUse.class);

  private final Set<String> services;

  /** How many namespaces DataNodes serve, by UUID. */
  private final Map<String, Integer> namespaces = new ConcurrentHashMap<>();

  /**
   * @param services names and addresses of machines with other services of HDFS
   */
  MachineUse(Set<String> services) {
    this.services = Set.copyOf(services);
  }

  /** Machines of the NameNodes and JournalNodes that a configuration names. */
  static Set<String> services(Configuration conf) {
    Set<String> services = new HashSet<>();
    try {
      for (Map<String, InetSocketAddress> nameservice :
          DFSUtil.getNNServiceRpcAddressesForCluster(conf).values()) {
        nameservice.values().forEach(address -> add(services, address));
      }
      for (URI edits : FSNamesystem.getSharedEditsDirs(conf)) {
        if ("qjournal".equals(edits.getScheme())) {
          for (String journal : edits.getAuthority().split(";")) {
            add(
                services,
                NetUtils.createSocketAddr(journal, DFSConfigKeys.DFS_JOURNALNODE_RPC_PORT_DEFAULT));
          }
        }
      }
    } catch (IOException e) {
      LOG.warn("Not all machines of NameNodes are known; their DataNodes may be put to sleep", e);
    }
    return services;
  }

  private static void add(Set<String> services, InetSocketAddress address) {
    if (address.isUnresolved()) {
      services.add(address.getHostString());
    } else if (!address.getAddress().isLoopbackAddress()) {
      services.add(address.getHostString());
      services.add(address.getAddress().getHostAddress());
    }
  }

  /**
   * A DataNode has sent a heartbeat; for any thread.
   *
   * @param report its agent's, {@code null} for none
   */
  void heard(String uuid, byte[] report) {
    int serves = report == null ? 0 : HeartbeatReportCodec.namespaces(report);
    if (serves > 0) {
      namespaces.put(uuid, serves);
    } else {
      namespaces.remove(uuid);
    }
  }

  /** Forgets DataNodes that HDFS does not know. */
  void retainOnly(Collection<DatanodeDescriptor> datanodes) {
    Set<String> known = new HashSet<>();
    datanodes.forEach(datanode -> known.add(datanode.getDatanodeUuid()));
    namespaces.keySet().retainAll(known);
  }

  /**
   * Why DataNodes have to stay awake, {@code null} for nothing.
   *
   * @param all DataNodes, dead ones among them: theirs may be the machine that is switched off
   */
  Function<DatanodeDescriptor, Stays> hindrances(Iterable<DatanodeDescriptor> all) {
    Map<String, Integer> machines = new HashMap<>();
    for (DatanodeDescriptor datanode : all) {
      for (String name : names(datanode)) {
        machines.merge(name, 1, Integer::sum);
      }
    }
    return datanode -> hindrance(datanode, machines);
  }

  private Stays hindrance(DatanodeDescriptor datanode, Map<String, Integer> machines) {
    Set<String> names = names(datanode);
    if (names.stream().anyMatch(services::contains)) {
      return Stays.OTHER_SERVICE;
    }
    if (names.stream().anyMatch(name -> machines.getOrDefault(name, 0) > 1)) {
      return Stays.SHARED_MACHINE;
    }
    Integer serves = namespaces.get(datanode.getDatanodeUuid());
    if (serves == null) {
      return Stays.NAMESPACES_UNKNOWN;
    }
    return serves > 1 ? Stays.OTHER_NAMESPACE : null;
  }

  /** Of a DataNode's machine. A loopback address is that of any machine, and says nothing. */
  private static Set<String> names(DatanodeDescriptor datanode) {
    Set<String> names = new HashSet<>();
    names.add(datanode.getHostName());
    String address = datanode.getIpAddr();
    if (!address.startsWith("127.") && !address.equals("0:0:0:0:0:0:0:1")) {
      names.add(address);
    }
    return names;
  }
}
