package org.rackweave.sim.recovery;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.rackweave.dayu.Algorithm;
import org.rackweave.dayu.DayuSettings;
import org.rackweave.dayu.RecoveryBandwidth;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;
import org.rackweave.sim.scenario.ClusterSpec;
import org.rackweave.sim.scenario.PolicySpec;
import org.rackweave.sim.scenario.RecoverySpec;
import org.rackweave.sim.workload.Distribution;
import org.rackweave.sim.workload.LostChunks;
import org.rackweave.sim.workload.TimedRequest;

/** Clusters and recoveries small enough to be worked out by hand or by force. */
final class SmallRecovery {
  static final double MB = 1e6;

  private SmallRecovery() {}

  static ClusterTopology racks(int racks, int nodesPerRack) {
    List<NodePlace> places = new ArrayList<>();
    for (int node = 0; node < racks * nodesPerRack; node++) {
      places.add(new NodePlace("dn" + node, "/r" + node / nodesPerRack, null));
    }
    return ClusterTopology.of(places);
  }

  static ClusterSpec cluster(int racks, int nodesPerRack, double linkBytesPerSec, double narrower) {
    return new ClusterSpec(
        Optional.empty(),
        racks,
        nodesPerRack,
        linkBytesPerSec,
        0,
        narrower,
        Double.POSITIVE_INFINITY,
        Double.POSITIVE_INFINITY,
        Double.POSITIVE_INFINITY,
        1,
        new Distribution.Fixed(1e13),
        new Distribution.Fixed(4096));
  }

  /** Links of 100 MB/s, of which recovery may use 75 and gets 10 in any case; node 0 is gone. */
  static RecoveryLinks links(int racks, int nodesPerRack, double narrower) {
    return new RecoveryLinks(
        racks(racks, nodesPerRack),
        cluster(racks, nodesPerRack, 100 * MB, narrower),
        0,
        new RecoveryBandwidth(0.75, 10 * MB, 0.25),
        0.5);
  }

  static RecoverySpec spec(int chunks, RecoverySpec.Contention contention) {
    return new RecoverySpec(
        chunks,
        0,
        new Distribution.Fixed(50 * MB),
        LostChunks.Layout.DISTINCT_RACKS,
        15_000,
        Optional.empty(),
        1,
        0.75,
        10 * MB,
        0.5,
        contention);
  }

  /** The same with other plans and reports. */
  static RecoverySpec replanned(RecoverySpec spec, long replanMs, double reportWeight) {
    return new RecoverySpec(
        spec.chunks(),
        spec.waiting(),
        spec.chunkBytes(),
        spec.layout(),
        spec.slotMs(),
        Optional.of(replanMs),
        reportWeight,
        spec.alpha(),
        spec.minimumBytesPerSec(),
        spec.crossing(),
        spec.contention());
  }

  static PolicySpec.Dayu dayu(Algorithm algorithm, DayuSettings.Stragglers stragglers) {
    return new PolicySpec.Dayu(
        algorithm.label(),
        algorithm,
        DayuSettings.Rates.WSS,
        stragglers,
        0.05,
        MB,
        DayuSettings.Aim.BACKLOG,
        PolicySpec.Planning.FIXED,
        500,
        1,
        Optional.empty());
  }

  /** Loads of all nodes, drawn anew every 15 s, for {@code slots} slots. */
  static List<TimedRequest> loads(int nodes, int slots, double most, SplittableRandom random) {
    List<TimedRequest> loads = new ArrayList<>();
    for (int slot = 0; slot < slots; slot++) {
      for (int node = 0; node < nodes; node++) {
        loads.add(
            new TimedRequest.NodeLoad(
                slot * 15_000_000_000L, node, random.nextDouble(most), random.nextDouble(most)));
      }
    }
    return loads;
  }

  static LostChunks lost(RecoveryLinks links, RecoverySpec spec, long seed) {
    return new LostChunks(
        links.topology(),
        links.failed(),
        spec.chunksAtFirst(links.topology().nodeCount()),
        spec.chunkBytes(),
        spec.layout(),
        new SplittableRandom(seed));
  }

  static RecoveryOutcome outcome(
      RecoveryLinks links,
      RecoverySpec spec,
      List<TimedRequest> loads,
      PolicySpec policy,
      long seed,
      double endSec,
      double stepSec) {
    Recovery recovery =
        new Recovery(
            links,
            spec,
            loads::stream,
            lost(links, spec, seed),
            new Recovery.Deciding(policy, new SplittableRandom(seed), () -> 0),
            stepSec);
    return recovery.run(endSec, (nanos, events) -> {});
  }
}
