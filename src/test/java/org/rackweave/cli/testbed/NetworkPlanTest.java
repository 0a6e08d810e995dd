package org.rackweave.cli.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NetworkPlanTest {

  private final TestbedPlan plan = PlanFixture.plan(2, 2, 0);
  private final List<String> commands =
      plan.steps().stream().map(step -> String.join(" ", step.command())).toList();

  @Test
  void everyHostHasANamespaceAndAReadableAddress() {
    Layout layout = plan.layout();
    assertEquals(
        List.of(
            new Host("nn", 0, "lab-nn", "198.18.0.1"),
            new Host("sink", 0, "lab-sink", "198.18.0.2"),
            new Host("r1h1", 1, "lab-r1h1", "198.18.1.1"),
            new Host("r1h2", 1, "lab-r1h2", "198.18.1.2"),
            new Host("r1bg", 1, "lab-r1bg", "198.18.1.250"),
            new Host("r2h1", 2, "lab-r2h1", "198.18.2.1"),
            new Host("r2h2", 2, "lab-r2h2", "198.18.2.2"),
            new Host("r2bg", 2, "lab-r2bg", "198.18.2.250")),
        layout.hosts());
    assertEquals("/rack-2", layout.racks().get(1).location());
    assertEquals(12_500_000, layout.uplinkBytesPerSec());
    assertEquals(25_000_000, layout.nicBytesPerSec());
  }

  @Test
  void aHostIsFoundByAnyOfItsNames() {
    Layout layout = plan.layout();
    Host host = layout.host("r2h1");
    assertEquals(host, layout.host("lab-r2h1"));
    assertEquals(host, layout.host("198.18.2.1"));
    String refused =
        assertThrows(IllegalArgumentException.class, () -> layout.host("r3h1")).getMessage();
    assertTrue(refused.contains("'r3h1'") && refused.contains("r2h2"), refused);
  }

  @Test
  void everyNamespaceIsMadeOnceBeforeAnythingIsDoneInIt() {
    List<String> made = new ArrayList<>();
    for (Step step : plan.steps()) {
      if (step.makes() instanceof Resource.Namespace namespace) {
        assertEquals(List.of("ip", "netns", "add", namespace.name()), step.command());
        made.add(namespace.name());
      } else if (!(step.makes() instanceof Resource.Mount)) {
        step.command().stream()
            .filter(word -> plan.namespaces().contains(word))
            .forEach(word -> assertTrue(made.contains(word), () -> "too early: " + step));
      }
    }
    assertEquals(plan.namespaces(), made);
    assertEquals(9, new HashSet<>(made).size());
  }

  @Test
  void anUplinkIsShapedWhereEachDirectionEntersIt() {
    assertTrue(commands.contains("ip -n lab-fabric link set dev r2-up master rack2 up"));
    assertTrue(commands.contains("ip -n lab-fabric link set dev r2-core master core up"));
    assertTrue(commands.contains(tbf("lab-fabric", "r2-up", 100)));
    assertTrue(commands.contains(tbf("lab-fabric", "r2-core", 100)));
  }

  @Test
  void onlyDataNodesHaveSlowCards() {
    Set<String> shaped = new HashSet<>();
    commands.stream().filter(command -> command.contains(" 200mbit ")).forEach(shaped::add);
    Set<String> expected = new HashSet<>();
    for (Host host : plan.layout().dataNodes()) {
      expected.add(tbf("lab-fabric", host.name(), 200));
      expected.add(tbf(host.namespace(), "eth0", 200));
    }
    assertEquals(expected, shaped);
    long uplinkEnds = commands.stream().filter(command -> command.contains(" 100mbit ")).count();
    assertEquals(4, uplinkEnds);
  }

  private static String tbf(String namespace, String device, int mbitPerSec) {
    return "tc -n "
        + namespace
        + " qdisc add dev "
        + device
        + " root tbf rate "
        + mbitPerSec
        + "mbit burst 131072 latency 40ms";
  }

  @Test
  void hostsHangOnTheBridgeOfTheirRack() {
    assertTrue(
        commands.contains(
            "ip -n lab-fabric link add dev r1bg type veth peer name eth0"
                + " address 02:00:c6:12:01:fa netns lab-r1bg"));
    assertTrue(commands.contains("ip -n lab-fabric link set dev r1bg master rack1 up"));
    assertTrue(commands.contains("ip -n lab-fabric link set dev sink master core up"));
    assertTrue(commands.contains("ip -n lab-r2h2 addr add 198.18.2.2/19 dev eth0"));
  }

  @Test
  void everyHostSetsItsCongestionControl() {
    for (Host host : plan.layout().hosts()) {
      assertTrue(
          commands.contains(
              "ip netns exec "
                  + host.namespace()
                  + " sh -c echo reno > /proc/sys/net/ipv4/tcp_congestion_control"));
    }
  }

  @Test
  void everyHostKnowsTheHardwareAddressThatEveryOtherHas() {
    List<String> lines = NetworkPlan.neighbours(plan.layout()).lines().toList();
    assertEquals(plan.layout().hosts().size(), lines.size());
    assertTrue(
        lines.contains("neigh replace 198.18.1.2 lladdr 02:00:c6:12:01:02 dev eth0 nud permanent"));
    for (Host host : plan.layout().hosts()) {
      String batch = "ip -n " + host.namespace() + " -batch /run/rackweave/lab/neighbours";
      assertTrue(commands.contains(batch));
    }
  }

  @Test
  void theNameNodeAloneHasALinkToTheOutside() {
    assertTrue(
        commands.contains("ip link add dev lab-ctl type veth peer name control netns lab-nn"));
    assertTrue(commands.contains("ip addr add 198.18.31.1/30 dev lab-ctl"));
    assertTrue(commands.contains("ip -n lab-nn addr add 198.18.31.2/30 dev control"));
  }

  @Test
  void namesOfInterfacesFitTheKernel() {
    TestbedSpec longest = TestbedSpec.DEFAULT.with("abcdefgh", "bbr", Map.of());
    TestbedPlan widest =
        TestbedPlan.of(
            new TestbedSpec("abcdefgh", 24, 20, 1, 1, 64, "bbr", longest.policy(), Map.of()),
            new AddressBlock(0),
            new RunDirectory(PlanFixture.DIRECTORY));
    for (Step step : widest.steps()) {
      for (int i = 0; i + 1 < step.command().size(); i++) {
        String word = step.command().get(i);
        if (word.equals("dev") || (word.equals("name") && step.command().contains("peer"))) {
          String name = step.command().get(i + 1);
          assertTrue(name.length() <= 15, name);
        }
      }
    }
  }

  @Test
  void blocksOfAddressesDoNotOverlap() {
    Set<String> addresses = new HashSet<>();
    int expected = 0;
    for (int block = 0; block < AddressBlock.COUNT; block++) {
      AddressBlock addressBlock = new AddressBlock(block);
      Layout layout = PlanFixture.plan(24, 20, block).layout();
      Stream<String> hosts = layout.hosts().stream().map(Host::address);
      List<String> all =
          Stream.concat(
                  hosts, Stream.of(addressBlock.controlInside(), addressBlock.controlOutside()))
              .toList();
      expected += all.size();
      addresses.addAll(all);
      for (String address : all) {
        for (String part : address.split("\\.")) {
          assertTrue(Integer.parseInt(part) <= 255, address);
        }
        assertTrue(address.matches("198\\.1[89]\\..*"), address);
      }
    }
    assertEquals(expected, addresses.size());
    assertEquals("198.19.225.3", new AddressBlock(15).dataNode(1, 3));
    assertThrows(IllegalArgumentException.class, () -> new AddressBlock(16));
  }
}
