package org.rackweave.cli.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.rackweave.cli.testbed.NamespaceProcesses.Found;

/**
 * How a testbed is at one moment.
 *
 * @param state what is known about it since it was asked for
 * @param policy who places blocks
 * @param congestionControls read back from all hosts; one, unless somebody has changed them
 * @param daemons NameNode first, then every DataNode
 * @param uplinks rack by rack
 * @param otherProcesses processes in the namespaces that are no daemons
 */
record TestbedStatus(
    SavedState state,
    TestbedPolicy policy,
    Set<String> congestionControls,
    List<Daemon> daemons,
    List<Uplink> uplinks,
    int otherProcesses) {

  private static final String NODES_BEAN = "Hadoop:service=NameNode,name=NameNodeInfo";
  private static final int WINDOW_MS = 1_000;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * A NameNode or a DataNode.
   *
   * @param pid its process, 0 if it is not running
   * @param memoryBytes memory it takes, shared pages counted in parts
   * @param report what the NameNode says about it, null for the NameNode and if it says nothing
   * @param rate what its link carried while we looked, null for the NameNode
   */
  record Daemon(Host host, long pid, long memoryBytes, Report report, Rate rate) {}

  /**
   * What the NameNode says about a live DataNode.
   *
   * @param heartbeatAgeSec seconds since its last heartbeat
   */
  record Report(long heartbeatAgeSec, long usedBytes, long capacityBytes, long blocks) {}

  /** What a link carries, in bytes per second; the directions as {@link LinkBytes} has them. */
  record Rate(double rxBytesPerSec, double txBytesPerSec) {

    static Rate between(LinkBytes before, LinkBytes after, double seconds) {
      LinkBytes carried = after.since(before);
      return new Rate(carried.rxBytes() / seconds, carried.txBytes() / seconds);
    }
  }

  /** A rack's link to the core. */
  record Uplink(int rack, Rate rate) {}

  /** Looks at the links for a second and at everything else once. */
  static TestbedStatus of(LiveTestbed testbed, SavedState state) throws IOException {
    Layout layout = testbed.layout();
    Counters before = testbed.counters();
    pause();
    Counters after = testbed.counters();
    double seconds = (after.atNanos() - before.atNanos()) / 1e9;
    List<Found> processes = NamespaceProcesses.in(testbed.plan().namespaces());
    Map<String, Report> reports = reports(testbed);
    List<Daemon> daemons = new ArrayList<>();
    daemons.add(daemon(layout.nameNode(), TestbedPlan.Daemon.NAMENODE, processes, null, null));
    for (Host host : layout.dataNodes()) {
      Rate rate =
          Rate.between(before.nics().get(host.name()), after.nics().get(host.name()), seconds);
      Report report = reports.get(host.name());
      daemons.add(daemon(host, TestbedPlan.Daemon.DATANODE, processes, report, rate));
    }
    List<Uplink> uplinks = new ArrayList<>();
    for (Rack rack : layout.racks()) {
      int number = rack.number();
      LinkBytes was = before.uplinks().get(number);
      uplinks.add(new Uplink(number, Rate.between(was, after.uplinks().get(number), seconds)));
    }
    long running = daemons.stream().filter(daemon -> daemon.pid() != 0).count();
    return new TestbedStatus(
        state,
        testbed.policy(),
        new HashSet<>(testbed.congestionControls()),
        daemons,
        uplinks,
        (int) (processes.size() - running));
  }

  private static Daemon daemon(
      Host host, TestbedPlan.Daemon kind, List<Found> processes, Report report, Rate rate) {
    for (Found process : processes) {
      if (process.namespace().equals(host.namespace()) && process.runs(kind.mainClass())) {
        return new Daemon(host, process.pid(), process.memoryBytes(), report, rate);
      }
    }
    return new Daemon(host, 0, 0, report, rate);
  }

  private static Map<String, Report> reports(Testbed testbed) throws IOException {
    JsonNode bean;
    try {
      bean = testbed.nameNodeJmx(NODES_BEAN);
    } catch (IOException nameNodeIsDown) {
      return Map.of();
    }
    return reports(MAPPER.readTree(bean.path("LiveNodes").asText()));
  }

  /** Makes sense of the bean's {@code LiveNodes}: an object for each, under "name:port". */
  static Map<String, Report> reports(JsonNode liveNodes) {
    Map<String, Report> reports = new HashMap<>();
    liveNodes
        .fields()
        .forEachRemaining(
            entry -> {
              String name = entry.getKey().split(":", 2)[0];
              JsonNode node = entry.getValue();
              reports.put(
                  name,
                  new Report(
                      node.path("lastContact").asLong(),
                      node.path("usedSpace").asLong(),
                      node.path("capacity").asLong(),
                      node.path("numBlocks").asLong()));
            });
    return reports;
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(WINDOW_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while measuring links", e);
    }
  }

  /** Memory of all daemons, in bytes. */
  long memoryBytes() {
    return daemons.stream().mapToLong(Daemon::memoryBytes).sum();
  }

  /** Whether every daemon runs and every DataNode reports. */
  boolean isWhole() {
    return daemons.stream().allMatch(daemon -> daemon.pid() != 0)
        && daemons.stream().skip(1).allMatch(daemon -> daemon.report() != null);
  }
}
