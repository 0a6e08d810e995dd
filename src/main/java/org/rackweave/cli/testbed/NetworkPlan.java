package org.rackweave.cli.testbed;

import java.util.ArrayList;
import java.util.List;

/**
 * The commands that build a testbed's network, in order. Switches are bridges in a namespace of
 * their own, where no packet filter of this machine looks: one for each rack, one for the core.
 *
 * <pre>
 *   host's namespace        fabric's namespace
 *   eth0 ------------------ r1h1 [rack1] r1-up ---- r1-core [core] nn ------ eth0 of the NameNode
 *   (shaped: from host)     (to host)    (out)      (in)           (unshaped)
 * </pre>
 *
 * <p>A queueing discipline shapes what leaves an interface, so each direction of a link is shaped
 * at the interface where it enters the link. Hardware addresses are fixed and known to every host,
 * and switches never forget them: a full link must not cost anyone an ARP request, and no packet is
 * flooded into racks it is not for.
 */
final class NetworkPlan {

  /** Two of the largest packets that TCP hands to an interface. */
  static final int BURST_BYTES = 128 << 10;

  /** How long a packet may wait in a shaper before the shaper drops what comes. */
  static final int LATENCY_MS = 40;

  /** Where each namespace has its own. */
  static final String CONGESTION_CONTROL = "/proc/sys/net/ipv4/tcp_congestion_control";

  private static final String NEVER_FORGET_CENTISEC = "100000000";

  private final TestbedSpec spec;
  private final AddressBlock addresses;
  private final Layout layout;
  private final RunDirectory directory;
  private final List<Step> steps = new ArrayList<>();

  private NetworkPlan(
      TestbedSpec spec, AddressBlock addresses, Layout layout, RunDirectory directory) {
    this.spec = spec;
    this.addresses = addresses;
    this.layout = layout;
    this.directory = directory;
  }

  /** Racks and hosts of {@code spec} with addresses of {@code addresses}. */
  static Layout layout(TestbedSpec spec, AddressBlock addresses) {
    List<Rack> racks = new ArrayList<>();
    for (int rack = 1; rack <= spec.racks(); rack++) {
      List<Host> dataNodes = new ArrayList<>();
      for (int host = 1; host <= spec.hostsPerRack(); host++) {
        dataNodes.add(host(spec, "r" + rack + "h" + host, rack, addresses.dataNode(rack, host)));
      }
      Host background = host(spec, "r" + rack + "bg", rack, addresses.background(rack));
      racks.add(new Rack(rack, dataNodes, background));
    }
    return new Layout(
        spec.prefix(),
        racks,
        host(spec, "nn", Host.CORE, addresses.nameNode()),
        host(spec, "sink", Host.CORE, addresses.sink()),
        spec.uplinkBytesPerSec(),
        spec.nicBytesPerSec());
  }

  private static Host host(TestbedSpec spec, String name, int rack, String address) {
    return new Host(name, rack, spec.prefix() + "-" + name, address);
  }

  /** The namespace of the bridges. */
  static String fabric(String prefix) {
    return prefix + "-fabric";
  }

  /** The interface outside the namespaces that leads to the NameNode. */
  static String controlLink(String prefix) {
    return prefix + "-ctl";
  }

  /** The interface in the fabric that shapes what leaves a rack. */
  static String uplinkOut(int rack) {
    return "r" + rack + "-up";
  }

  /** The interface in the fabric that shapes what enters a rack. */
  static String uplinkIn(int rack) {
    return "r" + rack + "-core";
  }

  /** Every command, beginning with the namespaces. */
  static List<Step> steps(
      TestbedSpec spec, AddressBlock addresses, Layout layout, RunDirectory directory) {
    return new NetworkPlan(spec, addresses, layout, directory).all();
  }

  private List<Step> all() {
    String fabric = fabric(spec.prefix());
    namespace(fabric);
    bridge("core");
    for (Rack rack : layout.racks()) {
      bridge("rack" + rack.number());
      uplink(rack.number());
    }
    for (Host host : layout.hosts()) {
      attach(host);
    }
    for (Host host : layout.dataNodes()) {
      shape(fabric, host.name(), spec.nicMbitPerSec());
      shape(host.namespace(), "eth0", spec.nicMbitPerSec());
    }
    control();
    return List.copyOf(steps);
  }

  private void namespace(String name) {
    steps.add(Step.making(new Resource.Namespace(name), "ip", "netns", "add", name));
    // No IPv6: its neighbour discovery is traffic nobody asked for.
    add(
        "ip",
        "netns",
        "exec",
        name,
        "sh",
        "-c",
        "for f in /proc/sys/net/ipv6/conf/*/disable_ipv6; do [ ! -e $f ] || echo 1 > $f; done");
    add("ip", "-n", name, "link", "set", "dev", "lo", "up");
  }

  private void bridge(String name) {
    inFabric(
        "link",
        "add",
        "dev",
        name,
        "type",
        "bridge",
        "stp_state",
        "0",
        "mcast_snooping",
        "0",
        "ageing_time",
        NEVER_FORGET_CENTISEC);
    inFabric("link", "set", "dev", name, "up");
  }

  private void uplink(int rack) {
    String out = uplinkOut(rack);
    String in = uplinkIn(rack);
    inFabric("link", "add", "dev", out, "type", "veth", "peer", "name", in);
    inFabric("link", "set", "dev", out, "master", "rack" + rack, "up");
    inFabric("link", "set", "dev", in, "master", "core", "up");
    shape(fabric(spec.prefix()), out, spec.uplinkMbitPerSec());
    shape(fabric(spec.prefix()), in, spec.uplinkMbitPerSec());
  }

  private void attach(Host host) {
    String namespace = host.namespace();
    namespace(namespace);
    add(
        "ip",
        "netns",
        "exec",
        namespace,
        "sh",
        "-c",
        "echo " + spec.congestionControl() + " > " + CONGESTION_CONTROL);
    // A TCP that remembers what earlier connections met would let one run shape the next.
    add(
        "ip",
        "netns",
        "exec",
        namespace,
        "sh",
        "-c",
        "echo 1 > /proc/sys/net/ipv4/tcp_no_metrics_save");
    inFabric(
        "link",
        "add",
        "dev",
        host.name(),
        "type",
        "veth",
        "peer",
        "name",
        "eth0",
        "address",
        AddressBlock.macOf(host.address()),
        "netns",
        namespace);
    String bridge = host.rack() == Host.CORE ? "core" : "rack" + host.rack();
    inFabric("link", "set", "dev", host.name(), "master", bridge, "up");
    add(
        "ip",
        "-n",
        namespace,
        "addr",
        "add",
        host.address() + "/" + AddressBlock.PREFIX_BITS,
        "dev",
        "eth0");
    add("ip", "-n", namespace, "link", "set", "dev", "eth0", "up");
    add("ip", "-n", namespace, "-batch", directory.neighbours().toString());
  }

  private void shape(String namespace, String device, int mbitPerSec) {
    add(
        "tc",
        "-n",
        namespace,
        "qdisc",
        "add",
        "dev",
        device,
        "root",
        "tbf",
        "rate",
        mbitPerSec + "mbit",
        "burst",
        String.valueOf(BURST_BYTES),
        "latency",
        LATENCY_MS + "ms");
  }

  private void control() {
    String outside = controlLink(spec.prefix());
    String inside = layout.nameNode().namespace();
    String bits = "/" + AddressBlock.CONTROL_PREFIX_BITS;
    steps.add(
        Step.making(
            new Resource.Link(outside),
            "ip",
            "link",
            "add",
            "dev",
            outside,
            "type",
            "veth",
            "peer",
            "name",
            "control",
            "netns",
            inside));
    add("ip", "addr", "add", addresses.controlOutside() + bits, "dev", outside);
    add("ip", "link", "set", "dev", outside, "up");
    add("ip", "-n", inside, "addr", "add", addresses.controlInside() + bits, "dev", "control");
    add("ip", "-n", inside, "link", "set", "dev", "control", "up");
  }

  private void inFabric(String... arguments) {
    List<String> command = new ArrayList<>(List.of("ip", "-n", fabric(spec.prefix())));
    command.addAll(List.of(arguments));
    steps.add(new Step(command, null));
  }

  private void add(String... command) {
    steps.add(Step.of(command));
  }

  /** The {@code ip} commands that make every host known to every other. */
  static String neighbours(Layout layout) {
    StringBuilder batch = new StringBuilder();
    for (Host host : layout.hosts()) {
      batch.append("neigh replace ").append(host.address());
      batch.append(" lladdr ").append(AddressBlock.macOf(host.address()));
      batch.append(" dev eth0 nud permanent\n");
    }
    return batch.toString();
  }
}
