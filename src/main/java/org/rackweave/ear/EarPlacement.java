package org.rackweave.ear;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.Admission;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.ReplicaChooser;

/**
 * Places the replicas of a block so that its stripe can be encoded inside one rack, and so that of
 * every block one replica may stay where it is.
 *
 * <p><b>Goals.</b> Every block of a stripe has a replica in the stripe's core rack, so the encoding
 * node downloads nothing across racks. One replica of each block can be kept such that the kept
 * ones stand on distinct nodes with at most c in a rack, and n - k parity blocks still find room:
 * nothing is relocated after encoding, and the stripe survives any n - k nodes and any floor((n -
 * k) / c) racks.
 *
 * <p><b>Constraints.</b> HDFS's own rules first: a node that {@link Admission} refuses is not
 * taken, and the spread over racks is the chooser's. A write never fails because of a stripe: when
 * no layout fits any open stripe the block opens a new one, and when there can be no stripe at all
 * it is placed without, and the outcome says why.
 *
 * <p><b>Algorithm.</b> The chooser ({@link org.rackweave.placement.RandomPlacement}, or a ranking
 * by links) proposes nodes; {@link StripeFilter} stands in front of HDFS's admission.
 *
 * <ol>
 *   <li>The first node taken makes its rack the core rack: the writer's, or a random one.
 *   <li>The first open stripe of that core rack is asked whether one more block with a replica on
 *       the first node fits; if so the others may be anywhere outside the core rack (in the
 *       stripe's target racks). If not, a proposed second node is refused unless with it the block
 *       fits: this is the redraw, and it leaves the core replica alone. Fitting is one search for
 *       an augmenting path in the kept matching.
 *   <li>When nothing was found and the stripe was why, the next open stripe is tried, then a new
 *       one.
 *   <li>The block takes a seat. Between question and seat no lock is held, so the layout is judged
 *       once more with the seat; if another block was faster, the next stripe takes it.
 * </ol>
 *
 * <p>Example, rs-4-2 with c = 1 over racks A to G, core rack A. Block 1 on (A1, B1, B2), block 2 on
 * (A2, B3, B4): of one of them the replica in A can be kept, of the other one in B. Block 3 is
 * proposed B1: A and B each keep one block already, so B is refused; C is proposed and taken.
 *
 * <p>The same request on equal stripes with the same random gives the same decision. Immutable and
 * safe for use by many threads, as {@link OpenStripes} is.
 */
public final class EarPlacement {
  private final OpenStripes stripes;
  private final ClusterTopology topology;
  private final ReplicaChooser chooser;

  /**
   * @param topology what the chooser numbers nodes by
   */
  public EarPlacement(OpenStripes stripes, ClusterTopology topology, ReplicaChooser chooser) {
    this.stripes = stripes;
    this.topology = topology;
    this.chooser = chooser;
  }

  /**
   * Decides and takes a seat.
   *
   * @param hosts gives the host system's admission afresh for every attempt
   * @param events told what happens to open stripes, see {@link OpenStripes}
   */
  public EarDecision place(
      PlacementRequest request,
      Supplier<? extends Admission> hosts,
      RandomGenerator random,
      long nowMs,
      Consumer<StripeEvent> events) {
    StripeOutcome inapplicable = inapplicable(request);
    if (inapplicable != null) {
      return without(inapplicable, chooser.choose(request, hosts.get(), random));
    }
    BlockSize size = BlockSize.expected(request.sizeBytes(), request.replicas());
    int misfits = 0;
    List<OpenStripe> refusedBy = List.of();
    while (true) {
      boolean isLast = refusedBy.size() >= stripes.rules().openStripesMax();
      StripeFilter filter =
          new StripeFilter(stripes, topology, hosts.get(), size, isLast ? null : refusedBy);
      PlacementDecision placement = chooser.choose(request, filter, random);
      int draws = misfits + filter.draws();
      if (placement.stands()) {
        return seated(placement, size, draws, random, nowMs, events);
      }
      if (!filter.refusedForStripe()) {
        return without(StripeOutcome.NOT_PLACED, placement);
      }
      refusedBy = refusedBy.isEmpty() ? new ArrayList<>() : refusedBy;
      refusedBy.add(filter.deferStripe());
      misfits = draws - 1;
    }
  }

  private StripeOutcome inapplicable(PlacementRequest request) {
    if (!request.newBlock() || request.existing().length > 0) {
      return StripeOutcome.NOT_A_NEW_BLOCK;
    }
    if (request.replicas() < 2) {
      return StripeOutcome.TOO_FEW_REPLICAS;
    }
    if (stripes.topology() != topology) {
      return StripeOutcome.TOPOLOGY_CHANGED;
    }
    return stripes.holdsStripes() ? null : StripeOutcome.TOO_FEW_RACKS;
  }

  private EarDecision seated(
      PlacementDecision placement,
      BlockSize size,
      int draws,
      RandomGenerator random,
      long nowMs,
      Consumer<StripeEvent> events) {
    int[] nodes = placement.nodes();
    OpenStripes.Seating seating =
        stripes.seat(topology.rackOf(nodes[0]), topology, nodes, size, random, nowMs, events);
    return seating == null
        ? without(StripeOutcome.TOPOLOGY_CHANGED, placement)
        : new EarDecision(placement, seating.seat(), seating.outcome(), draws);
  }

  private static EarDecision without(StripeOutcome outcome, PlacementDecision placement) {
    return new EarDecision(placement, null, outcome, 0);
  }
}
