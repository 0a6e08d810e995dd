package org.rackweave.cli.ear.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RackHostsTest {
  @Test
  void takesHostsOfWhichBothSayTheSame() {
    Map<String, String> racks = Map.of("a", "/r0", "b", "/r0", "c", "/r1");
    RackHosts hosts = RackHosts.of(racks, racks);
    assertEquals(Map.of("/r0", Set.of("a", "b"), "/r1", Set.of("c")), hosts.byRack());
    assertEquals(List.of(), hosts.complaints());
  }

  @Test
  void leavesHostsOutOfWhichTheyDoNot() {
    RackHosts hosts =
        RackHosts.of(new TreeMap<>(Map.of("a", "/r0", "b", "/r1")), Map.of("a", "/r7"));
    assertTrue(hosts.byRack().isEmpty());
    assertEquals(
        List.of(
            "NodeManager a is in rack '/r0' for YARN and in '/r7' for HDFS: it encodes nothing",
            "NodeManager b is in rack '/r1' for YARN and in '' for HDFS: it encodes nothing"),
        hosts.complaints());
  }

  @Test
  void leavesRacksToDataNodesThatYarnCannotName() {
    Map<String, String> racks = Map.of("a", "/dc1/r0", "b", "/dc1/r0");
    RackHosts hosts = RackHosts.of(racks, racks);
    assertTrue(hosts.byRack().isEmpty());
    assertEquals(1, hosts.complaints().size());
    assertTrue(hosts.complaints().get(0).startsWith("rack '/dc1/r0': "), hosts.toString());
    assertTrue(hosts.complaints().get(0).endsWith("; DataNodes encode its stripes"));
  }
}
