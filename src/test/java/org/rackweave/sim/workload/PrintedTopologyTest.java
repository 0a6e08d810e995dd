package org.rackweave.sim.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.rackweave.sim.workload.Inputs.complaint;
import static org.rackweave.sim.workload.Inputs.write;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rackweave.model.ClusterTopology;

class PrintedTopologyTest {
  private static final String[] TEXT = {
    "Rack: /hall/a",
    "   10.0.0.1:9866 (dn1.example.org) In Service",
    "   10.0.0.1:9867 (dn1.example.org) In Service",
    "",
    "Rack: /hall/b",
    "   10.0.1.1:9866 In Service",
    "   10.0.1.2:9866 (dn4.example.org) Decommission In Progress",
    "   10.0.1.3:9866 (dn5.example.org)",
    ""
  };

  @TempDir Path directory;

  @Test
  void readsRacksNodesNamesAndStates() throws InputException {
    PrintedTopology printed = PrintedTopology.read(write(directory, TEXT));
    assertEquals(
        List.of(
            new PrintedTopology.Node("10.0.0.1", 9866, "dn1.example.org", "/hall/a", true),
            new PrintedTopology.Node("10.0.0.1", 9867, "dn1.example.org", "/hall/a", true),
            new PrintedTopology.Node("10.0.1.1", 9866, "", "/hall/b", true),
            new PrintedTopology.Node("10.0.1.2", 9866, "dn4.example.org", "/hall/b", false),
            new PrintedTopology.Node("10.0.1.3", 9866, "dn5.example.org", "/hall/b", true)),
        printed.nodes());
  }

  @Test
  void onlyNodesInServiceTakePart() throws InputException {
    ClusterTopology topology = PrintedTopology.read(write(directory, TEXT)).topology();
    assertEquals(4, topology.nodeCount());
    assertEquals(2, topology.rackCount());
    assertEquals("10.0.1.3:9866", topology.nodeName(3));
    assertEquals(1, topology.rackOf(3));
  }

  @Test
  void knowsClientsByAddressAndByName() throws InputException {
    PrintedTopology printed = PrintedTopology.read(write(directory, TEXT));
    KnownClients known = KnownClients.of(printed, printed.topology());
    assertEquals(2, known.nodeOf("10.0.1.1", 5));
    assertEquals(3, known.nodeOf("DN5.example.org", 5));
    assertEquals(TimedRequest.OUTSIDE, known.nodeOf("10.0.1.2", 5), "not in service");
    assertEquals(TimedRequest.OUTSIDE, known.nodeOf("192.168.7.7", 5));
    assertEquals(TimedRequest.OUTSIDE, known.nodeOf("", 5));
    assertEquals(List.of(0, 1, 0), List.of(at(known, 0), at(known, 1), at(known, 2)));
  }

  private static int at(KnownClients known, long request) {
    return known.nodeOf("10.0.0.1", request);
  }

  @Test
  void spreadsStrangersByTheirAddress() {
    ClusterTopology topology = Inputs.square(3, 2);
    KnownClients spread = KnownClients.none().spreadOver(topology);
    boolean[] used = new boolean[6];
    for (int host = 0; host < 60; host++) {
      int node = spread.nodeOf("10.0.0." + host, host);
      assertEquals(node, spread.nodeOf("10.0.0." + host, host + 1), "the same for each request");
      used[node] = true;
    }
    for (boolean one : used) {
      assertEquals(true, one);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      textBlock =
          """
          Rack: default|1: rack is 'default'; expected a path like /hall/rack
          Rack: /a//b|1: rack is '/a//b'; expected a path like /hall/rack
             10.0.0.1:9866 (h) In Service|1: a node before the first 'Rack: <path>'
          No DataNodes|1: 'No DataNodes' is neither 'Rack: <path>' nor an indented '<address>:<port> (<host>) <state>'
          """)
  void firstLineIsARack(String line, String complaint) {
    Path file = write(directory, line);
    assertEquals(complaint, complaint(() -> PrintedTopology.read(file)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      textBlock =
          """
             10.0.0.1:99999 In Service|2: port is '99999'; allowed: 1 to 65535
             10.0.0.1 In Service|2: '   10.0.0.1 In Service' is neither 'Rack: <path>' nor an indented '<address>:<port> (<host>) <state>'
             10.0.0.1:9866 (h) Asleep|2: state is 'Asleep'; allowed: Decommission In Progress, Decommissioned, Entering Maintenance, In Maintenance, In Service
          Rack: /b|2: rack '/a' ends without a node
          """)
  void secondLineIsANode(String line, String complaint) {
    Path file = write(directory, "Rack: /a", line);
    assertEquals(complaint, complaint(() -> PrintedTopology.read(file)));
  }

  @Test
  void refusesANodeTwiceAndAClusterWithoutNodes() {
    Path twice = write(directory, TEXT[0], TEXT[1], TEXT[1]);
    assertEquals(
        "3: node 10.0.0.1:9866 is there twice", complaint(() -> PrintedTopology.read(twice)));
    Path leaving = write(directory, TEXT[4], TEXT[6]);
    assertEquals("0: has no node in service", complaint(() -> PrintedTopology.read(leaving)));
    Path empty = write(directory, "");
    assertEquals("0: has no node in service", complaint(() -> PrintedTopology.read(empty)));
  }
}
