package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.net.Node;
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
      String path,
      Node writer,
      List<DatanodeStorageInfo> existing,
      Set<Node> excluded,
      long blockSizeBytes,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    super(policy, context, path, writer, existing, excluded, blockSizeBytes, storagePolicy, flags);
    this.code = code;
  }

  /** At once, however small the block: its stripe wants it. */
  @Override
  FallbackReason decide(int replicas) {
    return place(replicas, blockSizeBytes());
  }

  @Override
  PlacementDecision choose(PlacementRequest wanted) {
    StripeBook book = context().stripes();
    OpenStripes stripes = book.openStripes(code);
    AddBlockCall call = AddBlockCall.current();
    ReplicaChooser chooser = chooser();
    if (call == null || stripes == null) {
      book.unobserved();
      return chooser.choose(wanted, freshAdmission(), ThreadLocalRandom.current());
    }
    long nowMs = Time.monotonicNow();
    EarDecision decision =
        new EarPlacement(stripes, state().topology(), chooser)
            .place(wanted, this::freshAdmission, ThreadLocalRandom.current(), nowMs, book.events());
    book.placed(decision.outcome());
    call.seat(stripes, decision.seat(), uuids(decision.placement()));
    return decision.placement();
  }

  private ReplicaChooser chooser() {
    boolean byLinks =
        context().config().ear().ranking() == Ranking.SINBAD
            && SinbadBlockPlacementPolicy.refuseForLinks(context()) == null;
    return byLinks
        ? this::bySinbad
        : new RandomPlacement(state().topology(), DRAWS_MAX, context().config().candidatesMax());
  }

  private List<String> uuids(PlacementDecision placement) {
    int[] nodes = placement.nodes();
    List<String> uuids = new ArrayList<>(nodes.length);
    for (int node : nodes) {
      uuids.add(state().datanodes()[node].getDatanodeUuid());
    }
    return uuids;
  }
}
