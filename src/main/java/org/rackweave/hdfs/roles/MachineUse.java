package org.rackweave.hdfs.roles;

import com.google.common.net.InetAddresses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.Collections;
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
import org.rackweave.hdfs.roles.PlannedRoles.StayReason;
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

  private final ServiceLookup lookup;

  /** Null until all of them are known. */
  private volatile Set<String> services;

  private volatile String unknown;

  /** How many namespaces DataNodes serve, by UUID. */
  private final Map<String, Integer> namespaces = new ConcurrentHashMap<>();

  /** Finds names and addresses of machines with other services of HDFS. */
  @FunctionalInterface
  interface ServiceLookup {
    /**
     * @throws IOException if one of them cannot be found
     */
    Set<String> services() throws IOException;
  }

  /**
   * @param lookup asked again until it has found all of them; nobody sleeps before
   */
  MachineUse(ServiceLookup lookup) {
    this.lookup = lookup;
  }

  /**
   * This machine, and those of the NameNodes and JournalNodes that a configuration names.
   *
   * @throws IOException if the configuration or an address in it cannot be understood
   */
  static Set<String> services(Configuration conf) throws IOException {
    Set<String> services = new HashSet<>();
    addThisMachine(services);
    for (Map<String, InetSocketAddress> nameservice :
        DFSUtil.getNNServiceRpcAddressesForCluster(conf).values()) {
      for (InetSocketAddress address : nameservice.values()) {
        add(services, address);
      }
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
    return services;
  }

  /** It has a NameNode, whatever name for it the configuration knows. */
  private static void addThisMachine(Set<String> services) throws IOException {
    for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      for (InetAddress address : Collections.list(each.getInetAddresses())) {
        if (!address.isLoopbackAddress()) {
          services.add(address.getHostAddress());
        }
      }
    }
    addName(services, NetUtils.getLocalHostname());
  }

  private static void add(Set<String> services, InetSocketAddress address)
      throws UnknownHostException {
    if (address.isUnresolved()) {
      throw new UnknownHostException(address.getHostString());
    }
    addName(services, address.getHostString());
    if (!address.getAddress().isLoopbackAddress() && !address.getAddress().isAnyLocalAddress()) {
      services.add(address.getAddress().getHostAddress());
    }
  }

  /** A host's own name may be that of its loopback address, which still tells it from others. */
  private static void addName(Set<String> services, String host) {
    if (!host.equals("localhost") && !InetAddresses.isInetAddress(host)) {
      services.add(host);
    }
  }

  private Set<String> knownServices() {
    if (services == null) {
      try {
        services = Set.copyOf(lookup.services());
      } catch (IOException | IllegalArgumentException e) {
        if (!e.toString().equals(unknown)) {
          unknown = e.toString();
          LOG.warn(
              "No DataNode is put to sleep: the addresses of NameNodes and JournalNodes are"
                  + " unknown",
              e);
        }
      }
    }
    return services;
  }

  /**
   * A DataNode has sent a heartbeat; for any thread.
   *
   * @param serves namespaces that its agent says it serves, 0 where it does not say
   */
  void heard(String uuid, int serves) {
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
  Function<DatanodeDescriptor, StayReason> hindrances(Iterable<DatanodeDescriptor> all) {
    Map<String, Integer> machines = new HashMap<>();
    for (DatanodeDescriptor datanode : all) {
      for (String name : names(datanode)) {
        machines.merge(name, 1, Integer::sum);
      }
    }
    Set<String> known = knownServices();
    return datanode ->
        known == null ? StayReason.SERVICES_UNKNOWN : hindrance(datanode, machines, known);
  }

  private StayReason hindrance(
      DatanodeDescriptor datanode, Map<String, Integer> machines, Set<String> known) {
    Set<String> names = names(datanode);
    if (names.stream().anyMatch(known::contains)) {
      return StayReason.OTHER_SERVICE;
    }
    if (names.stream().anyMatch(name -> machines.getOrDefault(name, 0) > 1)) {
      return StayReason.SHARED_MACHINE;
    }
    Integer serves = namespaces.get(datanode.getDatanodeUuid());
    if (serves == null) {
      return StayReason.NAMESPACES_UNKNOWN;
    }
    return serves > 1 ? StayReason.OTHER_NAMESPACE : null;
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
