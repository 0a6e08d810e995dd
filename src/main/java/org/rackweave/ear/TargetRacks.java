package org.rackweave.ear;

import java.util.BitSet;
import java.util.List;
import java.util.random.RandomGenerator;
import org.rackweave.model.ClusterTopology;

/**
 * The racks that hold a stripe once it is encoded, among them its core rack; immutable. Either all,
 * racks still to come included, or some of one topology.
 */
public final class TargetRacks {
  /** Every rack. */
  public static final TargetRacks ALL = new TargetRacks(null);

  private final BitSet racks;

  private TargetRacks(BitSet racks) {
    this.racks = racks;
  }

  /**
   * The racks of the given paths, those that are gone left out; all racks when no path is given.
   */
  public static TargetRacks at(List<String> paths, ClusterTopology topology) {
    if (paths.isEmpty()) {
      return ALL;
    }
    BitSet racks = new BitSet();
    for (String path : paths) {
      int rack = topology.rackAt(path);
      if (rack != ClusterTopology.NONE) {
        racks.set(rack);
      }
    }
    return new TargetRacks(racks);
  }

  /**
   * Draws as many racks as the rules ask for, and more while these cannot hold a stripe.
   *
   * @param wanted racks to begin with, the core rack first
   */
  static TargetRacks draw(
      StripeRules rules, ClusterTopology topology, int[] wanted, RandomGenerator random) {
    int all = topology.rackCount();
    if (!rules.limitsRacks(all)) {
      return ALL;
    }
    BitSet racks = new BitSet(all);
    for (int i = 0; i < wanted.length && racks.cardinality() < rules.targetRacks(); i++) {
      racks.set(wanted[i]);
    }
    return toppedUp(racks, rules, topology, random);
  }

  private static TargetRacks toppedUp(
      BitSet racks, StripeRules rules, ClusterTopology topology, RandomGenerator random) {
    TargetRacks targets = new TargetRacks(racks);
    int[] order = shuffled(topology.rackCount(), random);
    for (int i = 0; i < order.length && !targets.suffices(rules, topology); i++) {
      racks.set(order[i]);
    }
    return targets;
  }

  private boolean suffices(StripeRules rules, ClusterTopology topology) {
    return racks.cardinality() >= rules.targetRacks()
        && roomIn(topology, rules) >= rules.code().blocks();
  }

  private static int[] shuffled(int count, RandomGenerator random) {
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      int at = random.nextInt(i + 1);
      order[i] = order[at];
      order[at] = i;
    }
    return order;
  }

  /** Whether these are all racks. */
  public boolean isAll() {
    return racks == null;
  }

  public boolean contains(int rack) {
    return racks == null || racks.get(rack);
  }

  /** Blocks of one stripe that these racks can hold. */
  int roomIn(ClusterTopology topology, StripeRules rules) {
    int room = 0;
    for (int rack = 0; rack < topology.rackCount(); rack++) {
      room += contains(rack) ? rules.roomIn(topology, rack) : 0;
    }
    return room;
  }

  /** The racks' paths; empty when these are all racks. */
  public List<String> paths(ClusterTopology topology) {
    return isAll() ? List.of() : racks.stream().mapToObj(topology::rackPath).toList();
  }

  /**
   * The same racks in another topology, those that are gone replaced at random.
   *
   * @param coreRack in the new topology
   */
  TargetRacks in(
      ClusterTopology next,
      ClusterTopology last,
      StripeRules rules,
      int coreRack,
      RandomGenerator random) {
    if (!rules.limitsRacks(next.rackCount())) {
      return ALL;
    }
    BitSet kept = new BitSet(next.rackCount());
    for (int rack = 0; rack < last.rackCount(); rack++) {
      int now = contains(rack) ? next.rackAt(last.rackPath(rack)) : ClusterTopology.NONE;
      if (now != ClusterTopology.NONE) {
        kept.set(now);
      }
    }
    kept.set(coreRack);
    return toppedUp(kept, rules, next, random);
  }
}
