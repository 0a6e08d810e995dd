package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.rackweave.hdfs.erasure.CoderSelection;
import org.rackweave.hdfs.erasure.ErasureConfig;
import org.rackweave.hdfs.work.SearchTask;
import org.rackweave.hdfs.work.WorkCodec;
import org.rackweave.hdfs.work.WorkReply;
import org.rackweave.hdfs.work.WorkReport;
import org.rackweave.hdfs.work.WorkResult;

/**
 * The part of an agent that takes orders of the NameNode. It does nothing and has nothing before
 * the first of them.
 */
final class WorkAgent implements AutoCloseable {
  private static final byte[] NOTHING = {};
  private static final WorkReply NO_WORK = new WorkReply(List.of(), List.of());

  private final int threads;
  private final Configuration conf;
  private volatile WorkRunner bench;
  private boolean closed;

  WorkAgent(int threads, Configuration conf) {
    this.threads = threads;
    this.conf = conf;
  }

  /** How the orders stand, empty when there are none. */
  byte[] reports() {
    WorkRunner current = bench;
    List<WorkReport> reports = current == null ? List.of() : current.reports();
    return reports.isEmpty() ? NOTHING : WorkCodec.encode(reports);
  }

  /**
   * Does what a reply orders and breaks off what it does not.
   *
   * @param orders empty when the reply has none
   * @return false when they are not understood, in which case everything stays as it is
   */
  boolean follow(Optional<byte[]> orders, String datanodeUuid) {
    if (orders.isEmpty() && bench == null) {
      return true;
    }
    try {
      WorkReply reply = orders.isEmpty() ? NO_WORK : WorkCodec.reply(orders.get());
      bench(datanodeUuid).follow(reply);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private synchronized WorkRunner bench(String datanodeUuid) {
    if (bench == null) {
      bench =
          new WorkRunner(
              (task, coding, progress) -> {
                OwnTraffic started = StartedDataNodes.find(datanodeUuid);
                if (started == null) {
                  throw new IOException(
                      "the DataNode lacks " + RackweaveDataNodePlugin.class.getName());
                }
                if (task instanceof SearchTask search) {
                  return new WorkResult(storedBytes(search, started.dataNode()), List.of());
                }
                try {
                  return new StripeWork(new DataNodeOrigin(started.dataNode()))
                      .run(task, coding, progress);
                } catch (DisprovedException e) {
                  AgentMetrics.ofThisProcess().disproved();
                  throw e;
                }
              },
              CoderSelection.of(ErasureConfig.from(conf)),
              threads);
      if (closed) {
        bench.close();
      }
    }
    return bench;
  }

  /** Of every block that is looked for, 0 where there is no finished replica of just that one. */
  static List<Long> storedBytes(SearchTask search, DataNode dataNode) {
    FsDatasetSpi<?> replicas = dataNode.getFSDataset();
    List<Long> lengths = new ArrayList<>(search.blocks().size());
    for (LocatedBlock located : search.blocks()) {
      lengths.add(storedBytes(located.getBlock(), replicas));
    }
    return lengths;
  }

  private static long storedBytes(ExtendedBlock block, FsDatasetSpi<?> replicas) {
    try {
      // Not getReplicaVisibleLength, which answers for replicas of newer generations, too.
      return replicas.isValidBlock(block) ? replicas.getLength(block) : 0;
    } catch (IOException e) {
      return 0; // its file has just gone
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (bench != null) {
      bench.close();
    }
  }
}
