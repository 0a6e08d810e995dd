package org.rackweave.cli.ear.yarn;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.net.StaticMapping;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.rackweave.hdfs.namenode.RackCluster;

/**
 * A real ResourceManager and real NodeManagers, each with a loopback address of its own, so that
 * racks can be told apart. Containers are processes.
 */
final class RackedYarn implements AutoCloseable {
  private static final int NODE_MB = 2048;
  private static final int MASTER_MB = 512;

  private final MiniYARNCluster cluster;
  private final List<NodeManager> nodes = new ArrayList<>();

  private RackedYarn(MiniYARNCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Starts one.
   *
   * @param hdfs settings of an HDFS whose rack mapping is Hadoop's {@link StaticMapping}
   * @param racks by loopback address
   * @param directory for what NodeManagers store
   */
  static RackedYarn start(Configuration hdfs, Map<String, String> racks, Path directory) {
    Configuration conf = settings(hdfs);
    racks.forEach(StaticMapping::addNodeToRack);
    MiniYARNCluster cluster = new MiniYARNCluster("rackweave", 0, 1, 1);
    cluster.init(conf);
    cluster.start();
    RackedYarn yarn = new RackedYarn(cluster);
    racks.keySet().forEach(address -> yarn.addNode(address, directory.resolve(address)));
    RackCluster.await(
        "NodeManagers run",
        () -> cluster.getResourceManager().getRMContext().getRMNodes().size() == racks.size());
    return yarn;
  }

  private static Configuration settings(Configuration hdfs) {
    Configuration conf = new YarnConfiguration(hdfs);
    conf.set("yarn.scheduler.capacity.root.queues", "default");
    conf.set("yarn.scheduler.capacity.root.default.capacity", "100");
    conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "1.0");
    conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, MASTER_MB);
    conf.setInt(YarnConfiguration.NM_PMEM_MB, NODE_MB);
    conf.setBoolean(YarnConfiguration.NM_PMEM_CHECK_ENABLED, false);
    conf.setBoolean(YarnConfiguration.NM_VMEM_CHECK_ENABLED, false);
    conf.setFloat(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, 100);
    conf.setInt(MRJobConfig.MR_AM_VMEM_MB, MASTER_MB);
    conf.set(MRJobConfig.MR_AM_COMMAND_OPTS, "-Xmx384m -XX:TieredStopAtLevel=1");
    Path thinJar = Path.of(System.getProperty("rackweave.test.jar"));
    String classPath = jarsOutside(thinJar.getParent());
    conf.set(YarnConfiguration.YARN_APPLICATION_CLASSPATH, classPath);
    conf.set(MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH, classPath);
    // As hdfs rackweave finds them by itself, which runs from them.
    conf.set(MRJobConfig.JAR, thinJar.resolveSibling("rackweave-client.jar").toString());
    conf.set("tmpjars", thinJar.toUri().toString());
    return conf;
  }

  /** Without our classes: jobs have to bring them along. */
  private static String jarsOutside(Path build) {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar") && !Path.of(entry).startsWith(build))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private void addNode(String address, Path directory) {
    Configuration conf = new YarnConfiguration(cluster.getConfig());
    conf.set(YarnConfiguration.NM_ADDRESS, address + ":0");
    conf.set(YarnConfiguration.NM_LOCALIZER_ADDRESS, address + ":0");
    conf.set(YarnConfiguration.NM_WEBAPP_ADDRESS, address + ":0");
    conf.set(YarnConfiguration.NM_COLLECTOR_SERVICE_ADDRESS, address + ":0");
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, new File(directory.toFile(), "local").getPath());
    conf.set(YarnConfiguration.NM_LOG_DIRS, new File(directory.toFile(), "logs").getPath());
    NodeManager node = new NodeManager();
    node.init(conf);
    nodes.add(node);
    node.start();
  }

  /** Settings that find it. */
  Configuration conf() {
    return cluster.getConfig();
  }

  /** All applications ever submitted. */
  List<RMApp> applications() {
    return List.copyOf(cluster.getResourceManager().getRMContext().getRMApps().values());
  }

  RMApp application(ApplicationId id) {
    return cluster.getResourceManager().getRMContext().getRMApps().get(id);
  }

  /** The host of an application's ApplicationMaster, {@code null} before it has one. */
  static String hostOf(RMApp application) {
    RMAppAttempt attempt = application.getCurrentAppAttempt();
    return attempt == null || attempt.getMasterContainer() == null
        ? null
        : attempt.getMasterContainer().getNodeId().getHost();
  }

  @Override
  public void close() throws IOException {
    nodes.forEach(NodeManager::stop);
    cluster.stop();
    cluster.close();
  }
}
