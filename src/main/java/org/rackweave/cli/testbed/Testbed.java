package org.rackweave.cli.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * A testbed that is up. {@link Testbeds} brings one up or finds one that is. All methods may be
 * called by several threads.
 *
 * <p>The links carry what runs inside the hosts' network namespaces, so traffic has to be made
 * there, see {@link #run}. The process that holds this object is outside: it reaches the NameNode,
 * and nothing else, over a link of its own that is not shaped and takes part in no measurement.
 */
public interface Testbed extends Closeable {

  /** What was asked for, the congestion control filled in. */
  TestbedSpec spec();

  /** Racks, hosts, addresses and speeds. */
  Layout layout();

  /** Where configurations, logs and process numbers of this testbed are; gone once it is down. */
  Path runDirectory();

  /** The TCP congestion control that was read back from every namespace. */
  String congestionControl();

  /**
   * How an HDFS client inside any of the namespaces reaches the cluster. What {@link #java} starts
   * finds the same settings on its class path, in {@code core-site.xml} and {@code hdfs-site.xml}.
   */
  Configuration clientConf();

  /**
   * How this process reaches the NameNode: file names, block locations, administration. DataNodes
   * cannot be reached with it, so no file can be read or written.
   */
  Configuration controlConf();

  /**
   * Starts a command in a host's network namespace, in a session of its own, so that Ctrl-C does
   * not reach it. Whatever still runs in a namespace is killed when the testbed goes down.
   *
   * @param host a host's name, namespace or address
   * @param log file its output and errors are appended to, null to read them from the process
   * @return the command itself, so that destroying it reaches it
   */
  Process run(String host, List<String> command, Path log) throws IOException;

  /**
   * A command line for {@link #run} that starts {@code mainClass} with this process's class path
   * and Java, names of hosts resolved without DNS, and the testbed's configuration files.
   *
   * @param flags for the Java virtual machine, such as {@code -Xmx64m}
   */
  List<String> java(String mainClass, List<String> flags, List<String> arguments);

  /** Bytes of all blocks on the disks of all DataNodes, those that do not run included. */
  long storedBytes() throws IOException;

  /** The same on one DataNode's disk. */
  long storedBytes(String host) throws IOException;

  /** What all shaped links have carried until now. */
  Counters counters() throws IOException;

  /**
   * Kills a DataNode as {@code kill -9} does and waits until it is gone; what it stored stays.
   *
   * @param host a host's name, namespace or address
   */
  void killDataNode(String host) throws IOException;

  /**
   * Starts a DataNode that is not running, with what it stored. Returns at once, see {@link
   * #awaitLiveDataNodes}.
   *
   * @param host a host's name, namespace or address
   */
  void startDataNode(String host) throws IOException;

  /**
   * Waits until the NameNode counts that many DataNodes as live.
   *
   * @throws IOException if it does not in time, with the last lines the missing processes logged
   */
  void awaitLiveDataNodes(int count, Duration deadline) throws IOException;

  /** Who places blocks now. */
  TestbedPolicy policy();

  /**
   * Changes who places blocks, on the running NameNode by reconfiguration; when it returns, after
   * some 50 ms and the first time half a second, the next block is placed by {@code policy}.
   */
  default void usePolicy(TestbedPolicy policy) throws IOException {
    usePolicy(policy, Map.of());
  }

  /**
   * The same with other settings of the NameNode that it can change while it runs; those of an
   * earlier call are as they were.
   *
   * @throws IOException if the NameNode refuses one
   */
  void usePolicy(TestbedPolicy policy, Map<String, String> settings) throws IOException;

  /**
   * Reads a bean from the NameNode's {@code /jmx}.
   *
   * @param bean its whole name, such as {@code Hadoop:service=NameNode,name=FSNamesystemState}
   * @throws IOException if there is no such bean
   */
  JsonNode nameNodeJmx(String bean) throws IOException;

  /**
   * Takes down a testbed that {@link Testbeds#up} brought up: processes, namespaces, mounts, files.
   * A testbed found by {@link Testbeds#attach} stays up. Closing twice is harmless.
   */
  @Override
  void close() throws IOException;
}
