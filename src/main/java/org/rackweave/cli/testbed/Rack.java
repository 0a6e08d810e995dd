package org.rackweave.cli.testbed;

import java.util.List;

/**
 * One rack: hosts on a bridge, joined to the core by one uplink.
 *
 * @param number from 1
 * @param dataNodes its DataNodes, each behind a shaped network card
 * @param background a host without DataNode whose card is not shaped: what it sends or receives
 *     through the uplink loads the uplink alone, and no DataNode's agent sees it
 */
public record Rack(int number, List<Host> dataNodes, Host background) {

  public Rack {
    dataNodes = List.copyOf(dataNodes);
  }

  /** The network location HDFS knows the rack by. */
  public String location() {
    return background.location();
  }
}
