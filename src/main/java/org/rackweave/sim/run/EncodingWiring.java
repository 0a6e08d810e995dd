package org.rackweave.sim.run;

import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.rackweave.ear.EncodingPlanner;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.Admission;
import org.rackweave.sim.cluster.Cluster;
import org.rackweave.sim.encoding.CoreRackEncoding;
import org.rackweave.sim.encoding.EncodedStripe;
import org.rackweave.sim.encoding.EncodingChoice;
import org.rackweave.sim.encoding.EncodingTask;
import org.rackweave.sim.encoding.RandomEncoding;
import org.rackweave.sim.encoding.ReplicatedStripe;
import org.rackweave.sim.encoding.StoredStripes;
import org.rackweave.sim.encoding.StripeEncoding;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.engine.Streams;
import org.rackweave.sim.policy.BlockRequest;
import org.rackweave.sim.policy.EarPolicy;
import org.rackweave.sim.policy.PlacementPolicy;
import org.rackweave.sim.policy.Rules;
import org.rackweave.sim.scenario.EncodingSpec;

/** Writes a scenario's stripes and has them encoded as befits the policy that placed them. */
final class EncodingWiring {
  private final EventLoop loop;
  private final Cluster cluster;
  private final EncodingSpec spec;
  private final Streams streams;

  EncodingWiring(EventLoop loop, Cluster cluster, EncodingSpec spec, Streams streams) {
    this.loop = loop;
    this.cluster = cluster;
    this.spec = spec;
    this.streams = streams;
  }

  /** Stripes are written now, and encoded when the scenario says. */
  StripeEncoding schedule(PlacementPolicy policy, Consumer<EncodedStripe> whenEncoded) {
    List<ReplicatedStripe> stripes =
        new StoredStripes(spec, cluster, policy, streams.of("stripes")).write();
    boolean isEar = policy instanceof EarPolicy;
    ClusterTopology topology = cluster.topology();
    StripeEncoding encoding =
        new StripeEncoding(
            loop,
            cluster,
            isEar ? inCoreRack() : anywhere(),
            StripeEncoding.Settings.of(spec),
            whenEncoded);
    List<EncodingTask> tasks =
        isEar
            ? EncodingTask.inCoreRacks(stripes, spec.tasks(), topology.rackCount())
            : EncodingTask.onRandomNodes(
                stripes, spec.tasks(), topology.nodeCount(), streams.of("encoding tasks"));
    if (!stripes.isEmpty()) {
      encoding.begin(tasks, SimTime.ofMs(spec.atMs()));
    }
    return encoding;
  }

  private EncodingChoice anywhere() {
    return new RandomEncoding(spec.rules(), cluster.topology(), streams.of("encoding"));
  }

  private EncodingChoice inCoreRack() {
    Admission admission =
        new Rules(cluster, loop)
            .admissionOf(
                new BlockRequest(ClusterTopology.NONE, spec.blockBytes(), 1, new BitSet()));
    return new CoreRackEncoding(
        new EncodingPlanner(spec.rules(), cluster.topology()),
        EarPolicy.chooser(cluster.topology()),
        admission,
        spec.blockBytes(),
        streams.of("encoding"));
  }
}
