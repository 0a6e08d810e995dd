package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
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
        for (String name : block.getNames()) {
          replicas.add(addresses.indexOf(name.substring(0, name.lastIndexOf(':'))));
        }
      }
      stored.add(new Stored(file.getPath().toUri().getPath(), file.getLen(), replicas));
    }
    return stored;
  }

  /** Deletes a directory and waits until the DataNodes have, too. */
  void deleteAll(String directory, long deadlineSeconds) throws IOException, InterruptedException {
    files.delete(new Path(directory), true);
    await(
        state ->
            state.get("PendingDeletionBlocks").asLong() == 0
                && state.get("CapacityUsed").asLong() < EMPTY_BYTES,
        "the DataNodes have deleted their blocks",
        deadlineSeconds);
  }

  /** The NameNode's view of the cluster, not cached. */
  JsonNode state() throws IOException {
    return testbed.nameNodeJmx(STATE);
  }

  /**
   * Waits for a state.
   *
   * @param what the state in words, for the message if it does not come
   */
  void await(Predicate<JsonNode> reached, String what, long deadlineSeconds)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(deadlineSeconds);
    for (JsonNode state = state(); !reached.test(state); state = state()) {
      if (System.nanoTime() > deadline) {
        throw new IOException("Not after " + deadlineSeconds + " s: " + what + "; " + state);
      }
      Thread.sleep(POLL_MS);
    }
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

  @Override
  public void close() throws IOException {
    files.close();
  }
}
