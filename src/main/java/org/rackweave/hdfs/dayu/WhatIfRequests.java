package org.rackweave.hdfs.dayu;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.DayuConfig;
import org.rackweave.hdfs.admin.AdminAnswer;

/** Answers what recovery would be like if a DataNode died, one question at a time. Thread-safe. */
final class WhatIfRequests {
  private static final long PLANNING_MAX_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final NameNode nameNode;
  private final Supplier<DayuConfig> config;
  private final ReconstructionQueue queue;
  private final Supplier<RecoveryCluster> cluster;
  private final AtomicBoolean isBusy = new AtomicBoolean();

  WhatIfRequests(
      NameNode nameNode,
      Supplier<DayuConfig> config,
      ReconstructionQueue queue,
      Supplier<RecoveryCluster> cluster) {
    this.nameNode = nameNode;
    this.config = config;
    this.queue = queue;
    this.cluster = cluster;
  }

  /**
   * Predicts; changes nothing.
   *
   * @param name address, host name or UUID of a live DataNode
   * @throws IllegalArgumentException when there is none of the name
   * @throws IllegalStateException when another question is being answered, or the links are not
   *     known yet
   */
  AdminAnswer predict(String name) {
    RecoveryCluster known = cluster.get();
    if (known.nodes() == null || !nameNode.isActiveState()) {
      throw new IllegalStateException("the NameNode is not active, or knows no links yet");
    }
    DatanodeDescriptor lost = find(known.nodes(), name);
    if (!isBusy.compareAndSet(false, true)) {
      throw new IllegalStateException("another prediction is being made");
    }
    try {
      return new WhatIf(config.get(), known, queue, lost, PLANNING_MAX_NANOS)
          .predict(Time.monotonicNow(), ThreadLocalRandom.current());
    } finally {
      isBusy.set(false);
    }
  }

  private static DatanodeDescriptor find(ClusterView known, String name) {
    return Arrays.stream(known.datanodes())
        .filter(node -> node.isAlive() && isNamed(node, name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "node '"
                        + name
                        + "': allowed is host:port, address, host name or UUID of a live"
                        + " DataNode"));
  }

  private static boolean isNamed(DatanodeDescriptor node, String name) {
    return Stream.of(
            node.getXferAddr(), node.getIpAddr(), node.getHostName(), node.getDatanodeUuid())
        .anyMatch(name::equals);
  }
}
