package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.rackweave.cli.testbed.Host;
import org.rackweave.cli.testbed.Testbed;

/**
 * The cluster's files as its NameNode knows them. No byte of a file passes through here: the
 * process that compares does not touch the links it measures.
 */
final class ClusterFiles implements Closeable {

  private static final String STATE = "Hadoop:service=NameNode,name=FSNamesystemState";
  private static final String RACKWEAVE = "Hadoop:service=NameNode,name=Rackweave";
  private static final String NODES = "Hadoop:service=NameNode,name=NameNodeInfo";
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String FALLBACK = "Fallback";
  private static final long POLL_MS = 200;

  /** What a few empty files and half-deleted blocks may still take. */
  private static final long EMPTY_BYTES = 32L << 20;

  private final Testbed testbed;
  private final DistributedFileSystem files;
  private final List<String> addresses;

  /**
   * A file of one block.
   *
   * @param replicas numbers of the DataNodes that hold it, from 0, rack by rack
   */
  record Stored(String path, long sizeBytes, List<Integer> replicas) {}

  ClusterFiles(Testbed testbed) throws IOException {
    this.testbed = testbed;
    this.files = (DistributedFileSystem) FileSystem.newInstance(testbed.controlConf());
    this.addresses = testbed.layout().dataNodes().stream().map(Host::address).toList();
  }

  DistributedFileSystem fileSystem() {
    return files;
  }

  void makeDirectory(String path) throws IOException {
    files.mkdirs(new Path(path));
  }

  /** All files of a directory. */
  List<Stored> list(String directory) throws IOException {
    List<Stored> stored = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> all = files.listLocatedStatus(new Path(directory));
    while (all.hasNext()) {
      LocatedFileStatus file = all.next();
      List<Integer> replicas = new ArrayList<>();
      for (BlockLocation block : file.getBlockLocations()) {
        replicas.addAll(replicas(block));
      }
      stored.add(new Stored(file.getPath().toUri().getPath(), file.getLen(), replicas));
    }
    return stored;
  }

  /**
   * Replicas that blocks below directories lack, or units if they are striped.
   *
   * @param without number of a DataNode whose replicas do not count
   * @param units of a striped block
   */
  long lacking(List<String> directories, int without, int units) throws IOException {
    long lacking = 0;
    for (String directory : directories) {
      RemoteIterator<LocatedFileStatus> all = files.listFiles(new Path(directory), true);
      while (all.hasNext()) {
        LocatedFileStatus file = all.next();
        int wanted = file.isErasureCoded() ? units : file.getReplication();
        for (BlockLocation block : file.getBlockLocations()) {
          long live = replicas(block).stream().filter(node -> node != without).count();
          lacking += Math.max(0, wanted - live);
        }
      }
    }
    return lacking;
  }

  private List<Integer> replicas(BlockLocation block) throws IOException {
    List<Integer> replicas = new ArrayList<>();
    for (String name : block.getNames()) {
      replicas.add(addresses.indexOf(name.substring(0, name.lastIndexOf(':'))));
    }
    return replicas;
  }

  /** Waits until the NameNode has heard of so many replicas at least of each of its files. */
  void awaitReplicas(String directory, int replicas, long deadlineSeconds)
      throws IOException, InterruptedException {
    await(
        () -> list(directory).stream().allMatch(file -> file.replicas().size() >= replicas),
        replicas + " replicas of each file of " + directory,
        deadlineSeconds);
  }

  /** Deletes a file. */
  void delete(String path) throws IOException {
    files.delete(new Path(path), false);
  }

  /** Deletes a directory and waits until the DataNodes have, too. */
  void deleteAll(String directory, long deadlineSeconds) throws IOException, InterruptedException {
    files.delete(new Path(directory), true);
    try {
      await(this::isEmpty, "the DataNodes have deleted their blocks", deadlineSeconds);
    } catch (IOException e) {
      throw new IOException(
          e.getMessage() + "; " + testbed.storedBytes() + " bytes are left, " + state(), e);
    }
  }

  private boolean isEmpty() throws IOException {
    return state().get("PendingDeletionBlocks").asLong() == 0
        && testbed.storedBytes() < EMPTY_BYTES;
  }

  /** The NameNode's view of the cluster, not cached. */
  JsonNode state() throws IOException {
    return testbed.nameNodeJmx(STATE);
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(Condition condition, String what, long deadlineSeconds)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(deadlineSeconds);
    while (!condition.holds()) {
      if (System.nanoTime() > deadline) {
        throw new IOException("Not after " + deadlineSeconds + " s: " + what);
      }
      Thread.sleep(POLL_MS);
    }
  }

  /**
   * Waits until the NameNode has heard which blocks a DataNode has that has come back. Before, it
   * would not have blocks deleted there whose files are gone: it ignores what it does not know in a
   * DataNode's first report.
   *
   * @param host name of the DataNode's host
   */
  void awaitBlocksOf(String host, long deadlineSeconds) throws IOException, InterruptedException {
    await(() -> blocksOf(host) > 0, host + " reports its blocks", deadlineSeconds);
  }

  private long blocksOf(String host) throws IOException {
    JsonNode nodes = MAPPER.readTree(testbed.nameNodeJmx(NODES).path("LiveNodes").asText());
    for (Iterator<String> names = nodes.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (name.startsWith(host + ":")) {
        return nodes.get(name).path("numBlocks").asLong();
      }
    }
    return 0;
  }

  /** Decisions Rackweave has left to stock placement since the NameNode started. */
  long fallbacks() throws IOException {
    long sum = 0;
    JsonNode bean = testbed.nameNodeJmx(RACKWEAVE);
    for (Iterator<String> names = bean.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      sum += name.startsWith(FALLBACK) ? bean.get(name).asLong() : 0;
    }
    return sum;
  }

  /** Blocks of files that Rackweave has encoded, and that still are. */
  long encodedBlocks() throws IOException {
    return testbed.nameNodeJmx(RACKWEAVE).path("EncodedBlocks").asLong();
  }

  /** Heartbeats with a report of the link since the NameNode started. */
  long reports() throws IOException {
    return testbed.nameNodeJmx(RACKWEAVE).path("ReportsAccepted").asLong();
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
