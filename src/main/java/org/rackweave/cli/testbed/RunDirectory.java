package org.rackweave.cli.testbed;

import java.nio.file.Path;

/**
 * Where a testbed keeps what it needs while it is up.
 *
 * @param path the directory; everything below it goes with the testbed
 */
record RunDirectory(Path path) {

  /** What {@code down} needs to find everything again. */
  Path state() {
    return path.resolve("testbed.json");
  }

  /** Names of all hosts for Java, in place of DNS. */
  Path hosts() {
    return path.resolve("hosts");
  }

  /** Hardware addresses of all hosts, as a batch of {@code ip} commands. */
  Path neighbours() {
    return path.resolve("neighbours");
  }

  /** The rack of every address, for the NameNode. */
  Path topologyTable() {
    return path.resolve("topology.table");
  }

  Path log4j() {
    return path.resolve("log4j.properties");
  }

  /** A directory for the class path with an empty web application for every daemon. */
  Path web() {
    return path.resolve("web");
  }

  /** A copy of Rackweave's jar, which nobody builds anew while daemons run from it. */
  Path jar() {
    return path.resolve("rackweave.jar");
  }

  /** Configuration of one daemon, or of clients. */
  Path conf(String name) {
    return path.resolve("conf").resolve(name);
  }

  /** What every Hadoop program reads of {@link #conf}. */
  Path coreSite(String name) {
    return conf(name).resolve("core-site.xml");
  }

  /** What only HDFS reads of {@link #conf}. */
  Path hdfsSite(String name) {
    return conf(name).resolve("hdfs-site.xml");
  }

  /** Flags of the Java virtual machines that use {@link #conf}. */
  Path javaArguments(String name) {
    return conf(name).resolve("java.args");
  }

  /** What a daemon stores. */
  Path storage(String host) {
    return path.resolve("storage").resolve(host);
  }

  Path log(String host) {
    return path.resolve("logs").resolve(host + ".log");
  }
}
