package org.rackweave.hdfs.dayu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.DayuConfig;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.hdfs.durability.Survey;
import org.rackweave.model.ClusterTopology;
import org.rackweave.telemetry.LinkLedger;

/**
 * Answers what would happen if DataNodes died or were drained or a rack's link became another, and
 * how much deaths would lose; one question at a time. Changes nothing. Thread-safe.
 */
final class WhatIfRequests {
  private static final long PLANNING_MAX_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int RACKS_NAMED = 20;
  private static final String ALLOWED =
      "allowed is one of node=X,Y, rack=R, drain=X,Y, uplink=R=50%";

  private final NameNode nameNode;
  private final Supplier<DayuConfig> config;
  private final ReconstructionQueue queue;
  private final Supplier<RecoveryCluster> cluster;
  private final Survey survey;
  private final AtomicBoolean isBusy = new AtomicBoolean();

  WhatIfRequests(
      NameNode nameNode,
      Supplier<DayuConfig> config,
      ReconstructionQueue queue,
      Supplier<RecoveryCluster> cluster,
      Survey survey) {
    this.nameNode = nameNode;
    this.config = config;
    this.queue = queue;
    this.cluster = cluster;
    this.survey = survey;
  }

  /**
   * What deaths would lose now.
   *
   * @throws IllegalStateException when another question is being answered, or too little is known
   */
  AdminAnswer durability() {
    return answer(known -> survey.durability(known.nodes()));
  }

  /**
   * Predicts.
   *
   * @param what such as {@code rack=/r1}; for a word alone, the name of a DataNode
   * @throws IllegalArgumentException when there is none of the name
   * @throws IllegalStateException as above
   */
  AdminAnswer predict(String what) {
    int equals = what.indexOf('=');
    String kind = equals < 0 ? "node" : what.substring(0, equals);
    String value = what.substring(equals + 1);
    return switch (kind) {
      case "node", "drain" -> answer(known -> gone(kind, value, find(known.nodes(), value), known));
      case "rack" -> answer(known -> gone(kind, value, inRack(known.nodes(), value), known));
      case "uplink" -> answer(known -> uplink(value, known));
      default -> throw new IllegalArgumentException("'" + what + "': " + ALLOWED);
    };
  }

  private AdminAnswer answer(Function<RecoveryCluster, AdminAnswer> question) {
    RecoveryCluster known = cluster.get();
    if (known.nodes() == null || !nameNode.isActiveState()) {
      throw new IllegalStateException("the NameNode is not active, or knows no links yet");
    }
    if (!isBusy.compareAndSet(false, true)) {
      throw new IllegalStateException("another prediction is being made");
    }
    try {
      return question.apply(known);
    } finally {
      isBusy.set(false);
    }
  }

  private WhatIf plan(
      RecoveryCluster known, List<DatanodeDescriptor> gone, boolean isDrain, Survey.Left after) {
    return new WhatIf(config.get(), known, queue, Set.copyOf(gone), isDrain, PLANNING_MAX_NANOS)
        .plan(after, Time.monotonicNow(), ThreadLocalRandom.current());
  }

  private AdminAnswer gone(
      String kind, String name, List<DatanodeDescriptor> gone, RecoveryCluster known) {
    boolean isDrain = kind.equals("drain");
    Survey.Left after = survey.without(gone, isDrain, known.nodes());
    WhatIf plan = plan(known, gone, isDrain, after);
    AdminAnswer what =
        new AdminAnswer()
            .with(kind, name)
            .with("datanodes", gone.size())
            .with("basis", after.basis())
            .with("blocks", after.blocks());
    if (isDrain) {
      what.with("has_space", plan.hasSpace()).with("ok", plan.hasSpace());
    } else {
      what.with("blocks_lost", after.lost())
          .with("blocks_with_one_replica", after.single())
          .with("blocks_against_placement_policy", after.crowded())
          .with("stripes_undecodable", after.undecodable())
          .with("stripes_without_spare", after.last())
          .with("stripe_blocks_to_rebuild", after.rebuilt())
          .with("ok", after.isSafe());
    }
    plan.describe(what);
    AdminAnswer answer = new AdminAnswer().with("whatif", what);
    AdminAnswer hottest = plan.hottest();
    return hottest == null ? answer : answer.with("hottest_source", hottest);
  }

  /** Recovery of the rack's largest DataNode and writes into the rack, now and then. */
  private AdminAnswer uplink(String value, RecoveryCluster known) {
    int equals = value.lastIndexOf('=');
    String rack = value.substring(0, Math.max(0, equals));
    double share = percent(value.substring(equals + 1));
    ClusterView now = known.nodes();
    DatanodeDescriptor largest =
        inRack(now, rack).stream()
            .max(Comparator.comparingInt(DatanodeDescriptor::numBlocks))
            .orElseThrow();
    int number = now.topology().rackOf(now.numberOf(largest));
    LinkLedger links = now.ledger().over(now.links().withRackLink(number, share));
    ClusterView then = new ClusterView(links, now.datanodes(), now.numbers(), now.staleMs());
    Survey.Left after = survey.without(List.of(largest), false, now);
    WhatIf before = plan(known, List.of(largest), false, after);
    WhatIf plan = plan(known.over(then), List.of(largest), false, after);
    AdminAnswer what =
        new AdminAnswer()
            .with("uplink", rack)
            .with("share", share)
            .with("rack_bytes_per_sec", then.links().rackCapacity(number))
            .with("largest_datanode", largest.getXferAddr())
            .with("basis", after.basis())
            .with("recovery_sec_now", before.sec())
            .with("write_sec_now", writeSec(now, number))
            .with("write_sec", writeSec(then, number))
            .with("ok", true);
    plan.describe(what);
    return new AdminAnswer().with("whatif", what);
  }

  /** How long a block is likely to take on its way into a rack, on average over its DataNodes. */
  private double writeSec(ClusterView nodes, int rack) {
    long bytes =
        nameNode
            .getConf()
            .getLongBytes(
                HdfsClientConfigKeys.DFS_BLOCK_SIZE_KEY,
                HdfsClientConfigKeys.DFS_BLOCK_SIZE_DEFAULT);
    ClusterTopology topology = nodes.topology();
    return IntStream.range(topology.firstNode(rack), topology.firstNode(rack + 1))
        .filter(nodes::isFresh)
        .mapToDouble(node -> bytes / nodes.ledger().likelyAtHost(node, true, true))
        .average()
        .orElse(Double.NaN);
  }

  private static double percent(String text) {
    try {
      double share = Double.parseDouble(text.substring(0, text.length() - 1)) / 100;
      if (text.endsWith("%") && share > 0 && share <= 10) {
        return share;
      }
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      // Told below.
    }
    throw new IllegalArgumentException(
        "uplink '" + text + "': allowed is R=S with a rack R and a share S above 0% to 1000%");
  }

  private static List<DatanodeDescriptor> live(ClusterView known) {
    return Arrays.stream(known.datanodes()).filter(DatanodeDescriptor::isAlive).toList();
  }

  private static List<DatanodeDescriptor> inRack(ClusterView known, String rack) {
    List<DatanodeDescriptor> nodes =
        live(known).stream().filter(node -> node.getNetworkLocation().equals(rack)).toList();
    if (nodes.isEmpty()) {
      List<String> racks =
          live(known).stream().map(DatanodeDescriptor::getNetworkLocation).distinct().toList();
      throw new IllegalArgumentException(
          "rack '"
              + rack
              + "': allowed is one with live DataNodes, such as "
              + String.join(", ", racks.subList(0, Math.min(RACKS_NAMED, racks.size()))));
    }
    return nodes;
  }

  private static List<DatanodeDescriptor> find(ClusterView known, String names) {
    List<DatanodeDescriptor> found = new ArrayList<>();
    for (String name : names.split(",", -1)) {
      found.add(
          live(known).stream()
              .filter(node -> isNamed(node, name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "node '"
                              + name
                              + "': allowed is host:port, address, host name or UUID of a live"
                              + " DataNode")));
    }
    return found.stream().distinct().toList();
  }

  private static boolean isNamed(DatanodeDescriptor node, String name) {
    return Stream.of(
            node.getXferAddr(), node.getIpAddr(), node.getHostName(), node.getDatanodeUuid())
        .anyMatch(name::equals);
  }
}
