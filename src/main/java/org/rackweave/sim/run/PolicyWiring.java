package org.rackweave.sim.run;

import java.util.SplittableRandom;
import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.ReplicaChooser;
import org.rackweave.sim.cluster.Cluster;
import org.rackweave.sim.cluster.LinkKnowledge;
import org.rackweave.sim.cluster.ReportedLinks;
import org.rackweave.sim.cluster.TrueLinks;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.engine.Streams;
import org.rackweave.sim.policy.EarPolicy;
import org.rackweave.sim.policy.LeastLoadedChoice;
import org.rackweave.sim.policy.PlacementPolicy;
import org.rackweave.sim.policy.RandomChoice;
import org.rackweave.sim.policy.Rules;
import org.rackweave.sim.policy.SinbadPolicy;
import org.rackweave.sim.policy.SpreadPolicy;
import org.rackweave.sim.scenario.ClusterSpec;
import org.rackweave.sim.scenario.PolicySpec;
import org.rackweave.sim.scenario.Scenario;
import org.rackweave.sim.scenario.TelemetrySpec;
import org.rackweave.sim.traffic.BlockWrites;
import org.rackweave.sinbad.SinbadPlacement;
import org.rackweave.sinbad.Spread;
import org.rackweave.telemetry.NetworkSettings;

/** Makes the policies that scenarios name. */
final class PolicyWiring {
  private final EventLoop loop;
  private final Cluster cluster;
  private final Scenario scenario;
  private final Streams streams;
  private final Rules rules;

  PolicyWiring(EventLoop loop, Cluster cluster, Scenario scenario, Streams streams) {
    this.loop = loop;
    this.cluster = cluster;
    this.scenario = scenario;
    this.streams = streams;
    rules = new Rules(cluster, loop);
  }

  /** How clients write under a policy. */
  static BlockWrites.Settings writing(PolicySpec spec) {
    if (spec instanceof PolicySpec.Sinbad sinbad) {
      return new BlockWrites.Settings(
          SimTime.ofMs(sinbad.decisionIntervalMs()),
          sinbad.sources() == PolicySpec.Sources.UNLIMITED);
    }
    return new BlockWrites.Settings(0, false);
  }

  PlacementPolicy policy(PolicySpec spec) {
    SplittableRandom random = streams.of("placement");
    ClusterTopology topology = cluster.topology();
    if (spec instanceof PolicySpec.Stock) {
      return new SpreadPolicy(topology, rules, Spread.TWO_RACK, new RandomChoice(random));
    }
    if (spec instanceof PolicySpec.Uniform uniform) {
      return new SpreadPolicy(topology, rules, uniform.spread(), new RandomChoice(random));
    }
    if (spec instanceof PolicySpec.LeastLoaded least) {
      return new SpreadPolicy(
          topology, rules, least.spread(), new LeastLoadedChoice(cluster, random));
    }
    if (spec instanceof PolicySpec.Ear) {
      PlacementPolicy stock =
          new SpreadPolicy(topology, rules, Spread.TWO_RACK, new RandomChoice(random.split()));
      return new EarPolicy(loop, topology, scenario.encoding().rules(), rules, stock, random);
    }
    return sinbad((PolicySpec.Sinbad) spec, random);
  }

  private PlacementPolicy sinbad(PolicySpec.Sinbad spec, SplittableRandom random) {
    TelemetrySpec usual = scenario.telemetry();
    TelemetrySpec telemetry =
        new TelemetrySpec(
            spec.intervalMs().orElse(usual.intervalMs()),
            usual.jitterMs(),
            usual.delayMs(),
            usual.loss(),
            spec.alpha().orElse(usual.alpha()),
            usual.staleIntervals());
    PlacementPolicy stock =
        new SpreadPolicy(
            cluster.topology(), rules, Spread.TWO_RACK, new RandomChoice(random.split()));
    return new SinbadPolicy(
        loop,
        knowledge(spec, telemetry),
        new SinbadPlacement(spec.spread(), ReplicaChooser.CANDIDATES_MAX),
        rules,
        new SinbadPolicy.Otherwise(spec.thresholdBytes(), stock),
        random);
  }

  private LinkKnowledge knowledge(PolicySpec.Sinbad spec, TelemetrySpec telemetry) {
    ClusterSpec machines = scenario.cluster();
    boolean isDeclared = spec.racks() == PolicySpec.RackLinks.DECLARED;
    NetworkSettings settings =
        new NetworkSettings(
            isDeclared ? machines.rackLinkBytesPerSec() : 0,
            isDeclared ? machines.oversubscription() : 0,
            spec.diskLimited() ? machines.diskWriteBytesPerSec() : Double.POSITIVE_INFINITY,
            telemetry.intervalMs(),
            spec.storageImbalance(),
            spec.promise());
    if (spec.knowledge() == PolicySpec.Knowledge.ORACLE) {
      return new TrueLinks(loop, cluster, settings);
    }
    ReportedLinks links =
        new ReportedLinks(loop, cluster, telemetry, settings, streams.of("heartbeats"));
    links.start();
    return links;
  }
}
