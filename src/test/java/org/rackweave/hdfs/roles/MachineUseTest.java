package org.rackweave.hdfs.roles;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.google.common.collect.Sets;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.roles.PlannedRoles.StayReason;

/** What else would be switched off with a DataNode. */
class MachineUseTest {
  private final List<DatanodeDescriptor> datanodes = new ArrayList<>();
  private final MachineUse machines = new MachineUse(() -> Set.of("nn1", "10.9.9.9"));

  private DatanodeDescriptor datanode(String host, String address) {
    DatanodeDescriptor datanode = mock(DatanodeDescriptor.class);
    when(datanode.getDatanodeUuid()).thenReturn("uuid-" + datanodes.size());
    when(datanode.getHostName()).thenReturn(host);
    when(datanode.getIpAddr()).thenReturn(address);
    datanodes.add(datanode);
    heard(datanode, 1);
    return datanode;
  }

  private void heard(DatanodeDescriptor datanode, int namespaces) {
    machines.heard(datanode.getDatanodeUuid(), namespaces);
  }

  private StayReason why(DatanodeDescriptor datanode) {
    return machines.hindrances(datanodes).apply(datanode);
  }

  @Test
  void oneNamespaceOnAMachineOfItsOwnMaySleep() {
    DatanodeDescriptor one = datanode("h0", "127.0.0.1");
    DatanodeDescriptor two = datanode("h1", "127.0.0.1");
    assertEquals(null, why(one));
    assertEquals(null, why(two));
  }

  @Test
  void onlyTheLastHeartbeatSaysHowManyNamespacesThereAre() {
    DatanodeDescriptor one = datanode("h0", "10.0.0.1");
    heard(one, 2);
    assertEquals(StayReason.OTHER_NAMESPACE, why(one));
    heard(one, 1);
    assertEquals(null, why(one));
    heard(one, 0); // an agent of before this was told, or without the DataNode's plugin, or none
    assertEquals(StayReason.NAMESPACES_UNKNOWN, why(one));
  }

  @Test
  void whoHdfsDoesNotKnowIsForgotten() {
    DatanodeDescriptor one = datanode("h0", "10.0.0.1");
    machines.retainOnly(List.of());
    assertEquals(StayReason.NAMESPACES_UNKNOWN, why(one));
  }

  @Test
  void sameNameOrAddressIsTheSameMachine() {
    DatanodeDescriptor one = datanode("h0", "10.0.0.1");
    DatanodeDescriptor named = datanode("h0", "10.0.0.2");
    DatanodeDescriptor addressed = datanode("h1", "10.0.0.2");
    DatanodeDescriptor alone = datanode("h2", "10.0.0.3");
    for (DatanodeDescriptor each : List.of(one, named, addressed)) {
      assertEquals(StayReason.SHARED_MACHINE, why(each));
    }
    assertEquals(null, why(alone));
  }

  @Test
  void machinesOfNameNodesAndJournalNodesStayOn() {
    assertEquals(StayReason.OTHER_SERVICE, why(datanode("nn1", "10.0.0.1")));
    assertEquals(StayReason.OTHER_SERVICE, why(datanode("h1", "10.9.9.9")));
  }

  private static Configuration twoNameNodes(String second) {
    Configuration conf = new Configuration(false);
    conf.set("dfs.nameservices", "ns");
    conf.set("dfs.ha.namenodes.ns", "a,b");
    conf.set("dfs.namenode.rpc-address.ns.a", "10.1.0.1:8020");
    conf.set("dfs.namenode.rpc-address.ns.b", second);
    conf.set("dfs.namenode.shared.edits.dir", "qjournal://10.1.0.3:8485;10.1.0.4/ns");
    return conf;
  }

  @Test
  void machinesOfServicesAreFoundInTheConfiguration() throws IOException {
    Set<String> here = MachineUse.services(twoNameNodes("127.0.0.1:8020"));
    assertTrue(here.containsAll(Set.of("10.1.0.1", "10.1.0.3", "10.1.0.4")), here::toString);
    assertFalse(here.contains("127.0.0.1"));
    Set<String> there = MachineUse.services(twoNameNodes("10.1.0.2:8020"));
    assertEquals(Set.of("10.1.0.2"), Sets.difference(there, here));
  }

  @Test
  void aNameNodesMachineIsKnownByItsNameWhereThatIsOfItsLoopbackAddress() throws IOException {
    NetUtils.addStaticResolution("nn-at-home", "127.0.1.1");
    assertTrue(MachineUse.services(twoNameNodes("nn-at-home:8020")).contains("nn-at-home"));
  }

  @Test
  void thisMachineHasANameNode() throws IOException {
    assertTrue(
        MachineUse.services(twoNameNodes("0.0.0.0:8020")).contains(NetUtils.getLocalHostname()));
  }

  @Test
  void nobodySleepsUntilAllMachinesOfServicesAreFound() throws IOException {
    assertThrows(
        UnknownHostException.class,
        () -> MachineUse.services(twoNameNodes("nowhere.invalid:8020")));
    Iterator<Set<String>> found = Arrays.asList(null, null, Set.of("nn1")).iterator();
    AtomicInteger asked = new AtomicInteger();
    MachineUse late =
        new MachineUse(
            () -> {
              asked.incrementAndGet();
              return Optional.ofNullable(found.next()).orElseThrow(IOException::new);
            });
    DatanodeDescriptor one = datanode("h0", "10.0.0.1");
    late.heard(one.getDatanodeUuid(), 1);
    assertEquals(StayReason.SERVICES_UNKNOWN, late.hindrances(datanodes).apply(one));
    assertEquals(StayReason.SERVICES_UNKNOWN, late.hindrances(datanodes).apply(one));
    assertEquals(null, late.hindrances(datanodes).apply(one));
    assertEquals(null, late.hindrances(datanodes).apply(one));
    assertEquals(3, asked.get());
  }
}
