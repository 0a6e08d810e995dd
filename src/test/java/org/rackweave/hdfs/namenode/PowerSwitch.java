package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.MiniDFSCluster.NameNodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A power command that writes down what it is told, and somebody who then stops and starts the
 * DataNodes of a mini-cluster as written. What fails is written down elsewhere. A test registers
 * it; each of its methods has a new one's state.
 */
final class PowerSwitch implements BeforeEachCallback, AfterEachCallback {
  private static final Logger LOG = LoggerFactory.getLogger(PowerSwitch.class);
  private static final long LOOK_MS = 50;

  private final Map<String, DataNodeProperties> stopped = new HashMap<>();
  private Path directory;
  private Path command;
  private Path log;
  private Path failures;
  private Path broken;
  private Path hanging;
  private Path lingering;
  private ScheduledExecutorService thread;
  private MiniDFSCluster cluster;
  private int done;
  private boolean wakes;

  @Override
  public void beforeEach(ExtensionContext context) throws IOException {
    stopped.clear();
    done = 0;
    wakes = true;
    thread = Executors.newSingleThreadScheduledExecutor();
    directory = Files.createTempDirectory("power");
    command = directory.resolve("power");
    log = Files.createFile(directory.resolve("orders"));
    failures = Files.createFile(directory.resolve("failures"));
    broken = directory.resolve("broken");
    hanging = directory.resolve("hanging");
    lingering = directory.resolve("lingering");
    Files.writeString(
        command,
        String.join(
            "\n",
            "#!/bin/sh",
            "while [ -e " + hanging + " ]; do",
            "  sleep 0.1",
            "done",
            "if [ -e " + broken + " ]; then",
            "  echo \"$1 $2 $3 $4\" >> " + failures,
            "  echo no such machine",
            "  exit 3",
            "fi",
            "echo \"$1 $2 $3 $4\" >> " + log,
            "while [ -e " + lingering + " ]; do",
            "  sleep 0.1",
            "done",
            ""));
    Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwx------"));
  }

  String command() {
    return command.toString();
  }

  /** Begins to obey. */
  void wire(MiniDFSCluster obeyed) {
    cluster = obeyed;
    thread.scheduleWithFixedDelay(this::obey, 0, LOOK_MS, TimeUnit.MILLISECONDS);
  }

  /** Whether machines start when they are told to. */
  synchronized void setWakes(boolean answer) {
    wakes = answer;
  }

  /** Whether the command fails, and nothing comes of it. */
  void setBroken(boolean answer) throws IOException {
    set(broken, answer);
  }

  /** Whether the command does nothing, and does not end. */
  void setHangs(boolean answer) throws IOException {
    set(hanging, answer);
  }

  /** Whether the command, which is obeyed at once, ends only when this is over. */
  void setLingers(boolean answer) throws IOException {
    set(lingering, answer);
  }

  private static void set(Path flag, boolean answer) throws IOException {
    if (answer) {
      Files.createFile(flag);
    } else {
      Files.delete(flag);
    }
  }

  /** Commands that have failed. */
  long failed() {
    try {
      return Files.readAllLines(failures).size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized void obey() {
    try {
      List<String> orders = orders();
      while (done < orders.size()) {
        String[] words = orders.get(done).split(" ");
        if (words[0].equals("wake") && !wakes) {
          return;
        }
        obey(words[0], words[3]);
        done++;
      }
    } catch (IOException | RuntimeException e) {
      // It is tried again: what is told to a machine must not be lost.
      LOG.warn("Order {} is not obeyed yet", done, e);
    }
  }

  private void obey(String order, String uuid) throws IOException {
    if (order.equals("wake")) {
      DataNodeProperties machine = stopped.get(uuid);
      if (machine != null) {
        cluster.restartDataNode(machine);
        stopped.remove(uuid);
      }
      return;
    }
    List<DataNode> running = cluster.getDataNodes();
    for (int i = 0; i < running.size(); i++) {
      DataNode datanode = running.get(i);
      if (datanode.getDatanodeUuid().equals(uuid)) {
        stopped.put(uuid, cluster.stopDataNode(i));
        notice(datanode);
        return;
      }
    }
  }

  /** Has NameNodes miss a DataNode at once, and not after ten heartbeats. */
  private void notice(DataNode datanode) {
    for (NameNodeInfo info : cluster.getNameNodeInfos()) {
      DatanodeDescriptor known = SleepRig.on(info.nameNode, datanode.getDatanodeHostname());
      if (known != null && known.isAlive()) {
        BlockManagerTestUtil.noticeDeadDatanode(info.nameNode, known.getXferAddr());
      }
    }
  }

  /** All orders so far, {@code sleep|wake HOST ADDRESS UUID}. */
  List<String> orders() throws IOException {
    return Files.readAllLines(log);
  }

  /** The same without whom they were for. */
  List<String> words() throws IOException {
    return orders().stream().map(line -> line.split(" ")[0]).toList();
  }

  /** How many of one kind there were. */
  long count(String order) {
    try {
      return orders().stream().filter(line -> line.startsWith(order + ' ')).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Machines that are off. */
  synchronized int off() {
    return stopped.size();
  }

  /** Ends what still runs of the command, too. */
  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    thread.shutdownNow();
    FileUtil.fullyDelete(directory.toFile());
  }
}
