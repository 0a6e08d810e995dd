package org.rackweave.cli.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.rackweave.cli.testbed.NamespaceProcesses.Found;
import org.rackweave.cli.testbed.TestbedPlan.Daemon;

/** A testbed on this machine. What it knows it asks the machine, which others may change too. */
final class LiveTestbed implements Testbed {

  private static final String STATE_BEAN = "Hadoop:service=NameNode,name=FSNamesystemState";
  private static final int POLL_MS = 20;
  private static final int LOG_LINES = 5;

  private final TestbedPlan plan;
  private final JavaLaunch launch;
  private final Teardown teardown;
  private final boolean owned;
  private final NameNodeLink nameNode;

  /**
   * Wraps what has been built.
   *
   * @param owned whether closing takes the testbed down
   */
  LiveTestbed(TestbedPlan plan, JavaLaunch launch, Teardown teardown, boolean owned) {
    this.plan = plan;
    this.launch = launch;
    this.teardown = teardown;
    this.owned = owned;
    this.nameNode = new NameNodeLink(plan.addresses().controlInside(), controlConf());
  }

  TestbedPlan plan() {
    return plan;
  }

  @Override
  public TestbedSpec spec() {
    return plan.spec();
  }

  @Override
  public Layout layout() {
    return plan.layout();
  }

  @Override
  public Path runDirectory() {
    return plan.directory().path();
  }

  @Override
  public long storedBytes() throws IOException {
    long bytes = 0;
    for (Host host : layout().dataNodes()) {
      bytes += storedBytes(host.name());
    }
    return bytes;
  }

  @Override
  public long storedBytes(String host) throws IOException {
    return BlockFiles.bytesBelow(plan.directory().storage(dataNodeHost(host).name()));
  }

  @Override
  public String congestionControl() {
    return plan.spec().congestionControl();
  }

  @Override
  public Configuration clientConf() {
    return configuration(plan.hdfs().client());
  }

  @Override
  public Configuration controlConf() {
    return configuration(plan.hdfs().control());
  }

  private static Configuration configuration(Map<String, String> properties) {
    Configuration conf = new HdfsConfiguration();
    properties.forEach(conf::set);
    return conf;
  }

  @Override
  public Process run(String host, List<String> command, Path log) throws IOException {
    return start(layout().host(host), command, log);
  }

  private Process start(Host host, List<String> command, Path log) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(TestbedPlan.inside(host, command));
    if (log != null) {
      builder.redirectErrorStream(true);
      builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    }
    return teardown.start(builder);
  }

  @Override
  public List<String> java(String mainClass, List<String> flags, List<String> arguments) {
    Path argumentFile = plan.directory().javaArguments(TestbedPlan.CLIENT);
    return launch.command(argumentFile, flags, mainClass, arguments);
  }

  @Override
  public Counters counters() throws IOException {
    return TrafficCounters.read(layout());
  }

  /** From now on it stays when this process ends. */
  void letGo() {
    teardown.letGo();
  }

  /** Starts the NameNode and returns at once. */
  void startNameNode() throws IOException {
    startDaemon(Daemon.NAMENODE, layout().nameNode());
  }

  @Override
  public void startDataNode(String host) throws IOException {
    Host where = dataNodeHost(host);
    if (!running(Daemon.DATANODE, where).isEmpty()) {
      throw new IOException("the DataNode of " + where.name() + " is running already");
    }
    startDaemon(Daemon.DATANODE, where);
  }

  /** Returns once the daemon can be found in its namespace, which it enters after it starts. */
  private void startDaemon(Daemon daemon, Host host) throws IOException {
    Process process =
        start(host, plan.command(launch, daemon, host), plan.directory().log(host.name()));
    while (process.isAlive() && running(daemon, host).isEmpty()) {
      pause();
    }
  }

  @Override
  public void killDataNode(String host) throws IOException {
    Host where = dataNodeHost(host);
    List<Found> processes = running(Daemon.DATANODE, where);
    if (processes.isEmpty()) {
      throw new IOException("the DataNode of " + where.name() + " is not running");
    }
    NamespaceProcesses.kill(processes);
  }

  private Host dataNodeHost(String name) {
    Host host = layout().host(name);
    if (!layout().dataNodes().contains(host)) {
      throw new IllegalArgumentException(host.name() + " has no DataNode");
    }
    return host;
  }

  private static List<Found> running(Daemon daemon, Host host) throws IOException {
    return NamespaceProcesses.in(List.of(host.namespace())).stream()
        .filter(process -> process.runs(daemon.mainClass()))
        .toList();
  }

  @Override
  public void awaitLiveDataNodes(int count, Duration deadline) throws IOException {
    long end = System.nanoTime() + deadline.toNanos();
    while (liveDataNodes() != count) {
      if (teardown.isClosed()) {
        throw new IOException("testbed " + spec().prefix() + " has been taken down");
      }
      if (running(Daemon.NAMENODE, layout().nameNode()).isEmpty()) {
        throw new IOException("the NameNode has ended" + lastLines(layout().nameNode()));
      }
      if (System.nanoTime() > end) {
        throw new IOException(
            "the NameNode counts "
                + liveDataNodes()
                + " live DataNodes instead of "
                + count
                + " after "
                + deadline.toSeconds()
                + " s"
                + lastLinesOfTheEnded());
      }
      pause();
    }
  }

  /** How many DataNodes the NameNode counts as live, -1 if it does not answer. */
  private int liveDataNodes() {
    try {
      return nameNodeJmx(STATE_BEAN).path("NumLiveDataNodes").asInt();
    } catch (IOException notUpYet) {
      return -1;
    }
  }

  private String lastLinesOfTheEnded() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (Host host : layout().dataNodes()) {
      if (running(Daemon.DATANODE, host).isEmpty()) {
        lines.append(lastLines(host));
      }
    }
    return lines.toString();
  }

  private String lastLines(Host host) throws IOException {
    Path log = plan.directory().log(host.name());
    List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
    List<String> errors = lines.stream().filter(LiveTestbed::isError).toList();
    List<String> telling = errors.isEmpty() ? lines : errors;
    List<String> last = telling.subList(Math.max(0, telling.size() - LOG_LINES), telling.size());
    return "\n" + host.name() + " last said:\n  " + String.join("\n  ", last);
  }

  private static boolean isError(String line) {
    return line.contains(" ERROR ") || line.contains(" FATAL ") || line.startsWith("Error:");
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while daemons start", e);
    }
  }

  @Override
  public TestbedPolicy policy() {
    Configuration conf = new Configuration(false);
    Path site = plan.directory().hdfsSite(layout().nameNode().name());
    conf.addResource(new org.apache.hadoop.fs.Path(site.toUri()));
    String className = conf.get(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY);
    return Arrays.stream(TestbedPolicy.values())
        .filter(policy -> policy.className().equals(className))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no name for policy " + className));
  }

  @Override
  public synchronized void usePolicy(TestbedPolicy policy, Map<String, String> settings)
      throws IOException {
    String name = layout().nameNode().name();
    Path site = plan.directory().hdfsSite(name);
    Path written = site.resolveSibling(name + ".new");
    Map<String, String> properties = new HashMap<>(plan.hdfs().nameNode(policy));
    properties.putAll(settings);
    Files.writeString(written, HdfsPlan.hdfsSite(properties));
    Files.move(written, site, StandardCopyOption.ATOMIC_MOVE);
    nameNode.reconfigure();
  }

  @Override
  public JsonNode nameNodeJmx(String bean) throws IOException {
    return nameNode.bean(bean);
  }

  /** Reads the congestion control of every host back. */
  List<String> congestionControls() throws IOException {
    List<String> found = new ArrayList<>();
    for (Host host : layout().hosts()) {
      found.add(
          Shell.run(
                  List.of(
                      "ip",
                      "netns",
                      "exec",
                      host.namespace(),
                      "cat",
                      NetworkPlan.CONGESTION_CONTROL))
              .strip());
    }
    return List.copyOf(found);
  }

  @Override
  public void close() throws IOException {
    if (owned) {
      teardown.close();
    }
  }
}
