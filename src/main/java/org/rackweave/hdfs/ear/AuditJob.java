package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.rackweave.ear.SealedStripe;
import org.rackweave.ear.StripeAudit;
import org.rackweave.ear.StripeFlaw;
import org.rackweave.ear.StripeMove;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.work.WorkReport;
import org.rackweave.model.ClusterTopology;

/**
 * Looks at every encoded stripe: whether all of it is there, and lies where it survives what its
 * code promises; and at every stripe that waits to be encoded: whether it can be, inside its rack.
 * On request, moves misplaced blocks. Missing blocks are repaired in any case.
 */
final class AuditJob implements Jobs.Job {
  private static final int MOVES_AT_A_TIME = 16;
  private static final int LOOKED_AT_BETWEEN_RESTS = 100;
  private static final long REST_MS = 20;
  private static final long LOOK_MS = 100;

  private final StripePlaces places;
  private final StripeRegistry registry;
  private final BlockLookup lookup;
  private final WithheldReplicas withheld;
  private final Supplier<ClusterView> cluster;
  private final boolean fix;
  private final boolean dryRun;
  private final List<CompletableFuture<WorkReport>> underWay = new ArrayList<>();

  AuditJob(
      StripePlaces places,
      StripeRegistry registry,
      BlockLookup lookup,
      WithheldReplicas withheld,
      Supplier<ClusterView> cluster,
      boolean fix,
      boolean dryRun) {
    this.places = places;
    this.registry = registry;
    this.lookup = lookup;
    this.withheld = withheld;
    this.cluster = cluster;
    this.fix = fix;
    this.dryRun = dryRun;
  }

  @Override
  public String name() {
    return "audit";
  }

  @Override
  public void run(JobStatus status) throws IOException, InterruptedException {
    ClusterView nodes = cluster.get();
    lookAtEncoded(nodes, status);
    lookAtWaiting(nodes, status);
    awaitMoves(0, status);
  }

  private void lookAtEncoded(ClusterView nodes, JobStatus status) throws InterruptedException {
    EncodedStripes encoded = registry.encoded();
    status.phase("looking at encoded stripes", encoded.stripeCount());
    Map<StripeFlaw.Kind, Integer> flawed = new EnumMap<>(StripeFlaw.Kind.class);
    Map<Integer, Long> inRack = new HashMap<>();
    Map<Integer, Long> onNode = new HashMap<>();
    EncodedStripes.Cursor cursor = EncodedStripes.Cursor.START;
    int looked = 0;
    for (Optional<EncodedStripes.Found> next = encoded.after(cursor);
        next.isPresent();
        next = encoded.after(cursor)) {
      cursor = next.get().cursor();
      look(next.get().stripe(), nodes, status, flawed, inRack, onNode);
      rest(++looked, status);
    }
    status.figure("stripes", looked);
    flawed.forEach(
        (kind, stripes) ->
            status.figure(
                "stripes_with_" + kind.name().toLowerCase(Locale.ROOT), stripes.longValue()));
    spread(status, "rack", inRack, nodes.topology()::rackPath);
    spread(status, "node", onNode, nodes.topology()::nodeName);
  }

  private static void rest(int looked, JobStatus status) throws InterruptedException {
    status.done(looked);
    if (looked % LOOKED_AT_BETWEEN_RESTS == 0) {
      status.pause(REST_MS);
    }
  }

  private void lookAtWaiting(ClusterView nodes, JobStatus status) throws InterruptedException {
    List<SealedStripe> stripes = registry.waiting();
    status.phase("looking at stripes that wait to be encoded", stripes.size());
    WaitingAudit waiting = new WaitingAudit(registry::config, lookup, nodes);
    int looked = 0;
    for (SealedStripe stripe : stripes) {
      Optional<WaitingAudit.Looked> found = waiting.look(stripe, status);
      if (found.isPresent()) {
        for (StripeMove move : found.get().audit().moves()) {
          StoredBlock block = found.get().blocks().get(move.block());
          move(move, status, () -> places.move(block, stripe.code(), move, nodes));
        }
      }
      rest(++looked, status);
    }
  }

  private void look(
      EncodedStripes.Stripe stripe,
      ClusterView nodes,
      JobStatus status,
      Map<StripeFlaw.Kind, Integer> flawed,
      Map<Integer, Long> inRack,
      Map<Integer, Long> onNode)
      throws InterruptedException {
    LocatedStripe located = LocatedStripe.of(stripe, lookup, withheld, nodes);
    int there = StripePlaces.intact(located).length;
    status.add("blocks", there);
    status.add("stripes_without_checksums", stripe.record().isProven() ? 0 : 1);
    status.add("members_gone", located.members().size() - there);
    addBytes(located, status);
    StripeAudit audit = places.audit(located, nodes);
    audit.blocksInRack().forEach((rack, blocks) -> inRack.merge(rack, (long) blocks, Long::sum));
    audit.blocksOnNode().forEach((node, blocks) -> onNode.merge(node, (long) blocks, Long::sum));
    if (audit.isSound()) {
      status.add("sound_stripes", 1);
      return;
    }
    audit.flaws().stream()
        .map(StripeFlaw::kind)
        .distinct()
        .forEach(kind -> flawed.merge(kind, 1, Integer::sum));
    describe(located, audit, nodes.topology(), status);
    for (StripeMove move : audit.moves()) {
      move(move, status, () -> places.move(located, move, nodes));
    }
  }

  /** What a stripe takes, and what it has saved as far as its files have given up replicas. */
  private void addBytes(LocatedStripe located, JobStatus status) {
    StripeRecord record = located.stripe().record();
    long parity = record.code().parityBlocks() * record.parityBytes();
    long freed = 0;
    for (int i : StripePlaces.intact(located)) {
      StripeRecord.Member member = record.members().get(i);
      int replicas = Math.max(1, located.blocks().get(i).replicas().size());
      status.add("data_bytes", member.lengthBytes());
      freed += member.lengthBytes() * (member.replication() - replicas);
    }
    status.add("parity_bytes", parity);
    status.add("saved_bytes", freed - parity);
  }

  private void describe(
      LocatedStripe located, StripeAudit audit, ClusterTopology topology, JobStatus status) {
    StringBuilder text =
        new StringBuilder(
            "stripe of block "
                + located.stripe().record().members().get(0).blockId()
                + ", parity inode "
                + located.stripe().parityFile()
                + ":");
    audit.flaws().forEach(flaw -> text.append(' ').append(flaw.describe(topology)).append(';'));
    for (StripeMove move : audit.moves()) {
      text.append(" -> ").append(move.describe(topology));
    }
    status.line(text.toString());
  }

  /** Counts a move and, if it is to be made, orders it when there is room for it. */
  private void move(
      StripeMove move, JobStatus status, Supplier<Optional<CompletableFuture<WorkReport>>> order)
      throws InterruptedException {
    if (move.kind() != StripeMove.Kind.MOVE) {
      return;
    }
    status.add("moves_planned", 1);
    if (!fix || dryRun) {
      return;
    }
    awaitMoves(MOVES_AT_A_TIME - 1, status);
    Optional<CompletableFuture<WorkReport>> ordered = order.get();
    if (ordered.isPresent()) {
      underWay.add(ordered.get());
    } else {
      status.add("moves_put_off", 1);
    }
  }

  private void awaitMoves(int atMost, JobStatus status) throws InterruptedException {
    while (underWay.size() > atMost) {
      while (!underWay.get(0).isDone()) {
        status.pause(LOOK_MS);
      }
      try {
        WorkReport report = underWay.remove(0).get();
        if (report.state() == WorkReport.State.DONE) {
          status.add("moves_done", 1);
        } else {
          status.add("moves_failed", 1);
          status.line("a move failed: " + report.message());
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException("orders do not end so", e);
      }
    }
  }

  /** A name for a rack or node number. */
  @FunctionalInterface
  private interface Naming {
    String of(int number);
  }

  private static void spread(
      JobStatus status, String what, Map<Integer, Long> blocks, Naming naming) {
    if (blocks.isEmpty()) {
      return;
    }
    Map.Entry<Integer, Long> most =
        blocks.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
    Map.Entry<Integer, Long> least =
        blocks.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
    status.figure("blocks_in_fullest_" + what, most.getValue());
    status.figure("blocks_in_emptiest_" + what, least.getValue());
    status.line(
        String.format(
            Locale.ROOT,
            "blocks of stripes by %s: %d in %s to %d in %s",
            what,
            least.getValue(),
            naming.of(least.getKey()),
            most.getValue(),
            naming.of(most.getKey())));
  }
}
