package org.rackweave.cli.testbed.compare;

import java.util.ArrayList;
import java.util.List;
import org.rackweave.cli.testbed.Host;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.Rack;

/** Testbeds that tests look at and nobody builds. */
final class LayoutFixture {

  private LayoutFixture() {}

  static Layout layout(int racks, int nodesPerRack) {
    List<Rack> all = new ArrayList<>();
    for (int rack = 1; rack <= racks; rack++) {
      List<Host> nodes = new ArrayList<>();
      for (int node = 1; node <= nodesPerRack; node++) {
        nodes.add(host("r" + rack + "h" + node, rack, node));
      }
      all.add(new Rack(rack, nodes, host("r" + rack + "bg", rack, 254)));
    }
    return new Layout(
        "rw", all, host("nn", Host.CORE, 1), host("sink", Host.CORE, 2), 12_500_000, 25_000_000);
  }

  private static Host host(String name, int rack, int number) {
    return new Host(name, rack, "rw-" + name, "10.0." + rack + "." + number);
  }
}
