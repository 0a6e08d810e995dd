package org.rackweave.telemetry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

/**
 * Clusters of named racks for tests. Rates are MB/s, sizes of links too; hosts are named {@code
 * /rack/index} and idle, measured and empty unless said otherwise.
 */
public final class ClusterFixture {
  public static final double MB = 1e6;

  private static final CollectorSettings COLLECTOR =
      new CollectorSettings(Smoothing.CURRENT, 15_000, 300_000, 600_000, 100 * MB, true);

  private static final class Host {
    final String name;
    final String rack;
    String domain;
    double linkMb;
    double rxMb;
    double txMb;
    double usedFraction;
    boolean live = true;
    LinkSource source = LinkSource.MEASURED;
    int measurements = 1;
    long measuredAtMs;

    Host(String name, String rack) {
      this.name = name;
      this.rack = rack;
    }
  }

  private final List<Host> hosts = new ArrayList<>();
  private double hostLinkMb = 100;
  private double rackLinkMb;
  private double oversubscription = 1;
  private double diskWriteMb = 1000;
  private long updateIntervalMs = 1000;
  private double storageImbalance = 0.1;
  private boolean blocksApart;
  private ClusterTopology topology;

  /** Hosts with links of 100 MB/s, racks without oversubscription, disks that limit nothing. */
  public static ClusterFixture cluster() {
    return new ClusterFixture();
  }

  /** Capacity of the links of the hosts added from now on. */
  public ClusterFixture hostLinks(double mbPerSec) {
    hostLinkMb = mbPerSec;
    return this;
  }

  public ClusterFixture rackLinks(double mbPerSec) {
    rackLinkMb = mbPerSec;
    return this;
  }

  public ClusterFixture oversubscription(double factor) {
    oversubscription = factor;
    return this;
  }

  public ClusterFixture diskWrite(double mbPerSec) {
    diskWriteMb = mbPerSec;
    return this;
  }

  public ClusterFixture updateInterval(long ms) {
    updateIntervalMs = ms;
    return this;
  }

  public ClusterFixture storageImbalance(double limit) {
    storageImbalance = limit;
    return this;
  }

  /** All agents tell blocks from other traffic; all traffic is others'. */
  public ClusterFixture blocksApart() {
    blocksApart = true;
    return this;
  }

  /** Adds one host for each receive load. */
  public ClusterFixture rack(String path, double... rxMbPerSec) {
    for (double rx : rxMbPerSec) {
      long before = hosts.stream().filter(host -> host.rack.equals(path)).count();
      Host host = new Host(path + "/" + before, path);
      host.linkMb = hostLinkMb;
      host.rxMb = rx;
      hosts.add(host);
    }
    topology = null;
    return this;
  }

  /** Adds idle hosts. */
  public ClusterFixture idleRack(String path, int size) {
    return rack(path, new double[size]);
  }

  /** Names the fault domains of a rack's hosts, in order; null for none. */
  public ClusterFixture domains(String rack, String... domains) {
    for (int i = 0; i < domains.length; i++) {
      host(rack + "/" + i).domain = domains[i];
    }
    topology = null;
    return this;
  }

  public ClusterFixture load(String name, double rxMbPerSec, double txMbPerSec) {
    host(name).rxMb = rxMbPerSec;
    host(name).txMb = txMbPerSec;
    return this;
  }

  public ClusterFixture source(String name, LinkSource source) {
    host(name).source = source;
    return this;
  }

  public ClusterFixture missing(String name) {
    return source(name, LinkSource.MISSING);
  }

  public ClusterFixture dead(String name) {
    host(name).live = false;
    return this;
  }

  public ClusterFixture used(String name, double fraction) {
    host(name).usedFraction = fraction;
    return this;
  }

  /** One more measurement of a host arrives. */
  public ClusterFixture measured(String name, double rxMbPerSec, long atMs) {
    Host host = host(name);
    host.rxMb = rxMbPerSec;
    host.measurements++;
    host.measuredAtMs = atMs;
    return this;
  }

  private Host host(String name) {
    return hosts.stream()
        .filter(host -> host.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no host " + name));
  }

  /** The same object until a host or a domain is added. */
  public ClusterTopology topology() {
    if (topology == null) {
      topology =
          ClusterTopology.of(
              hosts.stream()
                  .map(host -> new NodePlace(host.name, host.rack, host.domain))
                  .toList());
    }
    return topology;
  }

  public int node(String name) {
    for (int node = 0; node < topology().nodeCount(); node++) {
      if (topology().nodeName(node).equals(name)) {
        return node;
      }
    }
    throw new IllegalArgumentException("no host " + name);
  }

  public int[] nodes(String... names) {
    int[] nodes = new int[names.length];
    for (int i = 0; i < names.length; i++) {
      nodes[i] = node(names[i]);
    }
    return nodes;
  }

  public int rack(String path) {
    return topology().rackAt(path);
  }

  public LinkSnapshot snapshot() {
    NetworkSettings settings =
        new NetworkSettings(
            rackLinkMb * MB,
            oversubscription,
            diskWriteMb * MB,
            updateIntervalMs,
            storageImbalance,
            blocksApart ? Promise.SHARE : Promise.WHOLE_BLOCK);
    LinkSnapshot.Builder builder = new LinkSnapshot.Builder(topology(), settings, 0);
    for (Host host : hosts) {
      int node = node(host.name);
      builder.host(
          node,
          host.source,
          host.linkMb * MB,
          host.rxMb * MB,
          host.txMb * MB,
          host.measurements,
          host.measuredAtMs);
      if (blocksApart) {
        builder.apart(node, host.rxMb * MB, host.txMb * MB, 0, 0);
      }
      if (host.live) {
        builder.storage(node, host.usedFraction);
      }
    }
    return builder.build();
  }

  public LinkLedger ledger() {
    return ledgerAfter(null);
  }

  public LinkLedger ledgerAfter(LinkLedger previous) {
    NodeEstimate[] estimates = new NodeEstimate[topology().nodeCount()];
    Arrays.setAll(estimates, node -> new NodeEstimate(COLLECTOR, false));
    return new LinkLedger(snapshot(), previous, estimates);
  }
}
