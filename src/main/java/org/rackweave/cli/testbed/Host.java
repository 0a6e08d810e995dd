package org.rackweave.cli.testbed;

/**
 * A network namespace that stands for a machine.
 *
 * @param name what it is called inside the testbed, {@code r1h2} for the second DataNode of the
 *     first rack
 * @param rack number of its rack from 1, {@link #CORE} for what hangs on the core
 * @param namespace name of the network namespace on this machine
 * @param address IPv4 address of its one network card, {@code eth0}
 */
public record Host(String name, int rack, String namespace, String address) {

  /** The rack number of hosts that are in no rack. */
  public static final int CORE = 0;

  /** The network location HDFS knows the host by. */
  public String location() {
    return rack == CORE ? "/core" : "/rack-" + rack;
  }
}
