package org.rackweave.cli.testbed;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * All there is to do for a testbed: a function of what was asked for and of the place it is given
 * on this machine, which is not touched.
 *
 * @param spec what was asked for
 * @param addresses the addresses it is given
 * @param directory the directory it is given
 * @param layout hosts, names, addresses
 * @param hdfs properties of its daemons
 */
record TestbedPlan(
    TestbedSpec spec,
    AddressBlock addresses,
    RunDirectory directory,
    Layout layout,
    HdfsPlan hdfs) {

  /** Who uses the site files of clients. */
  static final String CLIENT = "client";

  private static final int NAMENODE_STORAGE_MIB = 256;

  private static final String LOG4J =
      """
      log4j.rootLogger=INFO,console
      log4j.appender.console=org.apache.log4j.ConsoleAppender
      log4j.appender.console.target=System.err
      log4j.appender.console.layout=org.apache.log4j.PatternLayout
      log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %-5p %c{1}: %m%n
      """;

  static TestbedPlan of(TestbedSpec spec, AddressBlock addresses, RunDirectory directory) {
    Layout layout = NetworkPlan.layout(spec, addresses);
    HdfsPlan hdfs = new HdfsPlan(spec, addresses, layout, directory);
    return new TestbedPlan(spec, addresses, directory, layout, hdfs);
  }

  /** A daemon of the testbed. */
  enum Daemon {
    NAMENODE(NameNodeMain.class.getName(), "-Xms64m -Xmx512m"),

    /**
     * Compiled once and lightly: a dozen optimising compilers would take the processors from the
     * first minutes of every measurement, and what a DataNode does most is in the virtual machine.
     */
    DATANODE(
        "org.apache.hadoop.hdfs.server.datanode.DataNode",
        "-Xms32m -Xmx128m -Xss512k -XX:TieredStopAtLevel=1");

    private final String mainClass;
    private final String flags;

    Daemon(String mainClass, String flags) {
      this.mainClass = mainClass;
      this.flags = flags;
    }

    List<String> flags() {
      return List.of(flags.split(" ", -1));
    }

    String mainClass() {
      return mainClass;
    }
  }

  /** Every command that builds the testbed, in order. */
  List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    steps.add(mount(layout.nameNode(), NAMENODE_STORAGE_MIB));
    for (Host host : layout.dataNodes()) {
      steps.add(mount(host, spec.capacityMib()));
    }
    steps.addAll(NetworkPlan.steps(spec, addresses, layout, directory));
    return List.copyOf(steps);
  }

  private Step mount(Host host, int sizeMib) {
    Path path = directory.storage(host.name());
    return Step.making(
        new Resource.Mount(path),
        "mount",
        "-t",
        "tmpfs",
        "-o",
        "mode=0700,size=" + sizeMib + "m",
        layout.prefix() + "-" + host.name(),
        path.toString());
  }

  /** What has to be removed from this machine, in the order in which it is made. */
  List<Resource> resources() {
    return steps().stream().map(Step::makes).filter(Objects::nonNull).toList();
  }

  /** Every namespace, the fabric's first. */
  List<String> namespaces() {
    List<String> names = new ArrayList<>(List.of(NetworkPlan.fabric(spec.prefix())));
    layout.hosts().forEach(host -> names.add(host.namespace()));
    return List.copyOf(names);
  }

  /** Directories that have to be there, parents first. */
  List<Path> directories() {
    List<Path> paths = new ArrayList<>();
    paths.add(directory.log("any").getParent());
    for (String daemon : List.of("hdfs", "datanode", "static")) {
      paths.add(directory.web().resolve("webapps").resolve(daemon));
    }
    paths.add(directory.conf(CLIENT));
    paths.add(directory.conf(layout.nameNode().name()));
    paths.add(directory.storage(layout.nameNode().name()));
    for (Host host : layout.dataNodes()) {
      paths.add(directory.conf(host.name()));
      paths.add(directory.storage(host.name()));
    }
    return List.copyOf(paths);
  }

  /**
   * Every file with its content, in the order of writing.
   *
   * @param machineName what this machine calls itself, which daemons ask for
   */
  Map<Path, String> files(JavaLaunch launch, String machineName) {
    Map<Path, String> files = new LinkedHashMap<>();
    files.put(directory.hosts(), hdfs.hosts(machineName));
    files.put(directory.neighbours(), NetworkPlan.neighbours(layout));
    files.put(directory.topologyTable(), hdfs.topologyTable());
    files.put(directory.log4j(), LOG4J);
    site(files, launch, CLIENT, hdfs.client());
    site(files, launch, layout.nameNode().name(), hdfs.nameNode(spec.policy()));
    for (Host host : layout.dataNodes()) {
      site(files, launch, host.name(), hdfs.dataNode(host));
    }
    return files;
  }

  private void site(
      Map<Path, String> files, JavaLaunch launch, String name, Map<String, String> properties) {
    files.put(directory.coreSite(name), HdfsPlan.coreSite(properties));
    files.put(directory.hdfsSite(name), HdfsPlan.hdfsSite(properties));
    files.put(directory.javaArguments(name), launch.argumentFile(directory, directory.conf(name)));
  }

  /** The command line of a daemon, to be started in its host's namespace. */
  List<String> command(JavaLaunch launch, Daemon daemon, Host host) {
    Path arguments = directory.javaArguments(host.name());
    return launch.command(arguments, daemon.flags(), daemon.mainClass, List.of());
  }

  /** What it takes to start a command in a host's namespace, in a session of its own. */
  static List<String> inside(Host host, List<String> command) {
    List<String> all = new ArrayList<>(List.of("setsid", "ip", "netns", "exec", host.namespace()));
    all.addAll(command);
    return List.copyOf(all);
  }
}
