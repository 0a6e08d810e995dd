package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.util.Time;
import org.rackweave.ear.EarDecision;
import org.rackweave.ear.EarPlacement;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.OpenStripes;
import org.rackweave.hdfs.EarConfig.Ranking;
import org.rackweave.hdfs.ear.AddBlockCall;
import org.rackweave.hdfs.ear.StripeBook;
import org.rackweave.hdfs.namenode.PlacementContext;
import org.rackweave.placement.FallbackReason;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.RandomPlacement;
import org.rackweave.placement.ReplicaChooser;

/** One call of {@code chooseTarget} for a block that is to be encoded. Single-threaded. */
final class StripeDecision extends SinbadDecision {
  /** Draws for a replica before all nodes are tried in turn. */
  private static final int DRAWS_MAX = 16;

  private final ErasureCode code;

  StripeDecision(
      SinbadBlockPlacementPolicy policy,
      ErasureCode code,
      PlacementContext context,
      TargetCall call) {
    super(policy, context, call);
    this.code = code;
  }

  /** At once, however small the block: its stripe wants it. */
  @Override
  FallbackReason decide() {
    return place(call().blockSizeBytes());
  }

  @Override
  PlacementDecision choose(PlacementRequest wanted) {
    StripeBook book = context().stripes();
    OpenStripes stripes = book.openStripes(code);
    AddBlockCall addBlock = AddBlockCall.current();
    ReplicaChooser chooser = chooser();
    if (addBlock == null || stripes == null) {
      book.unobserved();
      return chooser.choose(wanted, freshAdmission(), ThreadLocalRandom.current());
    }
    long nowMs = Time.monotonicNow();
    EarDecision decision =
        new EarPlacement(stripes, state().topology(), chooser)
            .place(wanted, this::freshAdmission, ThreadLocalRandom.current(), nowMs, book.events());
    book.placed(decision.outcome());
    DatanodeDescriptor[] datanodes = state().datanodes();
    addBlock.seat(
        stripes,
        decision.seat(),
        decision.placement().nodes(),
        node -> datanodes[node].getDatanodeUuid());
    return decision.placement();
  }

  private ReplicaChooser chooser() {
    boolean byLinks =
        context().config().ear().ranking() == Ranking.SINBAD && refuseForLinks(context()) == null;
    return byLinks
        ? this::bySinbad
        : new RandomPlacement(state().topology(), DRAWS_MAX, context().config().candidatesMax());
  }
}
