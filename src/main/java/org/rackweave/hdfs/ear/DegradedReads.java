package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.util.Time;
import org.rackweave.ear.RebuildPlan;
import org.rackweave.ear.RebuildPlanner;
import org.rackweave.ear.StripeLocations;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.degraded.Decoders;
import org.rackweave.hdfs.degraded.NameNodeQuery;
import org.rackweave.hdfs.work.DecodeTask;
import org.rackweave.hdfs.work.MoveTask;
import org.rackweave.hdfs.work.StripeProof;
import org.rackweave.hdfs.work.StripeUnit;
import org.rackweave.hdfs.work.Task;
import org.rackweave.hdfs.work.WorkCodec;
import org.rackweave.hdfs.work.WorkOrder;
import org.rackweave.hdfs.work.WorkReply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NameNode's part in degraded reads: knows which DataNodes decode, tells it to clients who may
 * read the file, and tells these DataNodes what to read.
 *
 * <p>Soft state, an entry a DataNode. Thread-safe.
 */
public final class DegradedReads {
  private static final Logger LOG = LoggerFactory.getLogger(DegradedReads.class);
  private static final LogThrottle FORGERY_LOG = LogThrottle.oncePerMinute();
  private static final byte[] NO_ANSWER = {};

  /** A DataNode says every minute that it decodes. */
  private static final long SILENCE_MS = 180_000;

  /** DataNodes that a client is told of. */
  private static final int TOLD_MAX = 5;

  private final NameNode nameNode;
  private final Supplier<EarConfig> config;
  private final EncodedStripes encoded;
  private final BiFunction<EncodedStripes.Stripe, ClusterView, LocatedStripe> locate;
  private final StripeCommands commands;
  private final Supplier<ClusterView> cluster;
  private final RegisteredCaller caller;
  private volatile long forgotAtMs = Time.monotonicNow();

  /** By UUID, registered ones only. */
  private final Map<String, Heard> decoders = new ConcurrentHashMap<>();

  private record Heard(int port, long atMs) {}

  DegradedReads(
      NameNode nameNode,
      Supplier<EarConfig> config,
      EncodedStripes encoded,
      BiFunction<EncodedStripes.Stripe, ClusterView, LocatedStripe> locate,
      StripeCommands commands,
      Supplier<ClusterView> cluster,
      RegisteredCaller caller) {
    this.nameNode = nameNode;
    this.config = config;
    this.encoded = encoded;
    this.locate = locate;
    this.commands = commands;
    this.cluster = cluster;
    this.caller = caller;
  }

  /**
   * Answers a DataNode.
   *
   * @return {@code null} when there is nothing to say, or somebody else asks
   * @throws IOException when the question makes no sense
   */
  public byte[] answer(byte[] question, long nowMs) throws IOException {
    NameNodeQuery asked = NameNodeQuery.of(question);
    if (!caller.is(asked.datanodeUuid())) {
      if (FORGERY_LOG.shouldLog()) {
        LOG.warn(
            "Refused: {}, user {}, claims to be DataNode {}, which is registered from another"
                + " address or with another principal",
            Server.getRemoteAddress(),
            Server.getRemoteUser(),
            asked.datanodeUuid());
      }
      return null;
    }
    if (asked instanceof NameNodeQuery.Announcement announcement) {
      decoders.put(announcement.datanodeUuid(), new Heard(announcement.port(), nowMs));
      forgetSilent(nowMs);
      return NO_ANSWER;
    }
    return recipe((NameNodeQuery.Recipe) asked)
        .map(task -> new WorkReply(List.of(new WorkOrder(0, task)), List.of()))
        .map(WorkCodec::encode)
        .orElse(null);
  }

  /** Now and then: every DataNode announces itself every minute. */
  private void forgetSilent(long nowMs) {
    if (nowMs - forgotAtMs > SILENCE_MS) {
      forgotAtMs = nowMs;
      decoders.values().removeIf(heard -> nowMs - heard.atMs() > SILENCE_MS);
    }
  }

  /** DataNodes that have said not long ago that they decode. */
  public int decoderCount() {
    return decoders.size();
  }

  private Optional<Task> recipe(NameNodeQuery.Recipe asked) {
    Optional<EncodedStripes.Stripe> stripe = encoded.of(asked.blockId());
    if (!commands.isOf(asked.blockPool()) || stripe.isEmpty()) {
      return Optional.empty();
    }
    ClusterView nodes = cluster.get();
    int[] asking = nodes.usableNumbersOf(List.of(asked.datanodeUuid()));
    StripeRecord record = stripe.get().record();
    int block = 0;
    while (record.members().get(block).blockId() != asked.blockId()) {
      block++;
    }
    LocatedStripe located = locate.apply(stripe.get(), nodes);
    if (asking.length == 0
        || !located.members().get(block).isIntact()
        || record.members().get(block).generationStamp() != asked.generationStamp()) {
      return Optional.empty();
    }
    StripeLocations where =
        located.where().without(node -> isNamed(nodes.datanodes()[node], asked.unreachable()));
    int[] replicas = where.readable(block);
    int wanted = block;
    Optional<Task> heard =
        IntStream.of(replicas)
            .filter(node -> !nodes.isSilent(node))
            .mapToObj(node -> read(located, wanted, nodes, node, asking[0]))
            .findFirst();
    if (heard.isPresent()) {
      return heard;
    }
    Optional<RebuildPlan> plan = plan(located, where, wanted, nodes, asking[0]);
    boolean isHeard =
        plan.isPresent() && IntStream.of(plan.get().sourceNodes()).noneMatch(nodes::isSilent);
    return (isHeard ? IntStream.empty() : IntStream.of(replicas))
        .mapToObj(node -> read(located, wanted, nodes, node, asking[0]))
        .findFirst()
        .or(() -> plan.map(decode -> task(located, decode, wanted, nodes)));
  }

  /** Of others that are not silent, as far as there are enough. */
  private Optional<RebuildPlan> plan(
      LocatedStripe located, StripeLocations where, int block, ClusterView nodes, int to) {
    StripeRecord record = located.stripe().record();
    return new RebuildPlanner(config.get().rulesOf(record), nodes.topology(), nodes::isSilent)
        .read(where, block, to, ThreadLocalRandom.current());
  }

  /** What has a replica is read there: that costs one block and not as many as decoding. */
  private Task read(LocatedStripe located, int block, ClusterView nodes, int from, int to) {
    return new MoveTask(
        located.stripe().record().code(),
        commands.toRead(located.toRead(block), nodes.datanodes()[from]),
        commands.toRead(located.toRead(block), nodes.datanodes()[to]),
        0);
  }

  private static boolean isNamed(DatanodeDescriptor node, List<String> uuids) {
    return uuids.contains(node.getDatanodeUuid());
  }

  private DecodeTask task(LocatedStripe located, RebuildPlan plan, int block, ClusterView nodes) {
    StripeRecord record = located.stripe().record();
    DatanodeDescriptor asking = nodes.datanodes()[plan.targets()[0]];
    return new DecodeTask(
        record.code(),
        record.members().size(),
        commands.sources(located, plan, nodes),
        List.of(
            new StripeUnit(located.unit(block), commands.toRead(located.toRead(block), asking))),
        StripeProof.of(record),
        0);
  }

  /**
   * What the attribute {@link Decoders#ATTRIBUTE} of a file says, to the caller whom this thread
   * answers.
   *
   * @return empty when the caller may not read the file
   */
  Optional<byte[]> decodersFor(String path, long nowMs) {
    try {
      nameNode.getRpcServer().checkAccess(path, FsAction.READ);
    } catch (IOException e) {
      return Optional.empty(); // HDFS tells the caller
    }
    ClusterView nodes = cluster.get();
    List<DatanodeID> told = new ArrayList<>();
    List<Integer> order = new ArrayList<>();
    for (int node = 0; node < nodes.datanodes().length; node++) {
      order.add(node);
    }
    Collections.shuffle(order, ThreadLocalRandom.current());
    order.sort(Comparator.comparing(nodes::isSilent)); // who is gone costs a client a minute
    for (int node : order) {
      Heard heard = decoders.get(nodes.datanodes()[node].getDatanodeUuid());
      if (heard != null
          && nowMs - heard.atMs() <= SILENCE_MS
          && nodes.isUsable(node)
          && told.size() < TOLD_MAX) {
        DatanodeDescriptor one = nodes.datanodes()[node];
        told.add(
            new DatanodeID(
                one.getIpAddr(), one.getHostName(), one.getDatanodeUuid(), heard.port(), 0, 0, 0));
      }
    }
    return Optional.of(Decoders.encode(told));
  }
}
