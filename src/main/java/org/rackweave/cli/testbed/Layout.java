package org.rackweave.cli.testbed;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a testbed is made of.
 *
 * @param prefix its name on this machine
 * @param racks in the order of their numbers
 * @param nameNode at the core, its card not shaped
 * @param sink a host at the core whose card is not shaped, the other end of background traffic
 * @param uplinkBytesPerSec speed of a rack's link to the core, in either direction
 * @param nicBytesPerSec speed of a DataNode's link to its rack, in either direction
 */
public record Layout(
    String prefix,
    List<Rack> racks,
    Host nameNode,
    Host sink,
    long uplinkBytesPerSec,
    long nicBytesPerSec) {

  public Layout {
    racks = List.copyOf(racks);
  }

  /** Every DataNode, rack by rack. */
  public List<Host> dataNodes() {
    return racks.stream().flatMap(rack -> rack.dataNodes().stream()).toList();
  }

  /** Every host: what is at the core, then rack by rack DataNodes and background host. */
  public List<Host> hosts() {
    List<Host> hosts = new ArrayList<>(List.of(nameNode, sink));
    for (Rack rack : racks) {
      hosts.addAll(rack.dataNodes());
      hosts.add(rack.background());
    }
    return hosts;
  }

  /**
   * Finds a host by its name, by its namespace or by its address.
   *
   * @throws IllegalArgumentException if there is none, naming those there are
   */
  public Host host(String wanted) {
    return hosts().stream()
        .filter(
            host ->
                Stream.of(host.name(), host.namespace(), host.address()).anyMatch(wanted::equals))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "No host '"
                        + wanted
                        + "' in testbed "
                        + prefix
                        + ", there are "
                        + hosts().stream().map(Host::name).toList()));
  }

  /** Addresses of DataNodes by their numbers, from 0, rack by rack. */
  public List<String> addresses(List<Integer> nodes) {
    return nodes.stream().map(node -> dataNodes().get(node).address()).toList();
  }
}
