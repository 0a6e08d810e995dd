package org.rackweave.dayu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

/** Clusters and recoveries for tests; bytes and seconds are small numbers. */
final class Clusters {
  static final long PLENTY = 1L << 40;

  private Clusters() {}

  static ClusterTopology racks(int... sizes) {
    List<NodePlace> places = new ArrayList<>();
    for (int rack = 0; rack < sizes.length; rack++) {
      for (int i = 0; i < sizes[rack]; i++) {
        places.add(new NodePlace("dn" + places.size(), "/r" + rack, null));
      }
    }
    return ClusterTopology.of(places);
  }

  /** A rack a node, the same bandwidth in and out. */
  static RecoverySnapshot.Builder nodes(double... bytesPerSec) {
    int[] ones = new int[bytesPerSec.length];
    Arrays.fill(ones, 1);
    return cluster(racks(ones), bytesPerSec);
  }

  static RecoverySnapshot.Builder cluster(ClusterTopology topology, double... bytesPerSec) {
    RecoverySnapshot.Builder builder =
        new RecoverySnapshot.Builder(topology, 1).freeEverywhere(0, PLENTY);
    for (int node = 0; node < topology.nodeCount(); node++) {
      double bandwidth = bytesPerSec[Math.min(node, bytesPerSec.length - 1)];
      builder.node(node, bandwidth, bandwidth);
    }
    return builder;
  }

  static Timeslot slot(double lengthSec) {
    return new Timeslot(lengthSec, 0);
  }

  /** What a random case is made of. */
  record Mix(int sizes, int priorities, boolean narrowRacks, boolean running) {
    /** Sizes of a kind, one priority, racks without limits, nothing under way. */
    static final Mix PLAIN = new Mix(1, 1, false, false);

    /** Everything. */
    static final Mix ALL = new Mix(40, 3, true, true);

    Mix without(boolean copiesUnderWay) {
      return new Mix(sizes, priorities, narrowRacks, running && !copiesUnderWay);
    }
  }

  record Case(RecoverySnapshot snapshot, RecoveryBatch batch, Timeslot slot) {
    RecoveryPlan plan(DayuSettings settings, RandomGenerator random) {
      return new RecoveryPlanner(settings).plan(snapshot, batch, slot, random);
    }

    ClusterTopology topology() {
      return snapshot.topology();
    }
  }

  static Case draw(RandomGenerator random, Mix mix) {
    int[] sizes = IntStream.range(0, random.nextInt(1, 7)).map(i -> random.nextInt(1, 5)).toArray();
    ClusterTopology topology = racks(sizes);
    RecoverySnapshot snapshot = snapshot(topology, random, mix);
    return new Case(
        snapshot, batch(topology, random, mix), new Timeslot(random.nextInt(2, 20), 0.5));
  }

  private static RecoverySnapshot snapshot(
      ClusterTopology topology, RandomGenerator random, Mix mix) {
    RecoverySnapshot.Builder builder = new RecoverySnapshot.Builder(topology, 2);
    for (int node = 0; node < topology.nodeCount(); node++) {
      double in = random.nextInt(5) == 0 ? 0 : random.nextInt(1, 50);
      double out = random.nextInt(5) == 0 ? 0 : random.nextInt(1, 50);
      builder.node(node, in, out);
      builder.free(0, node, random.nextInt(3) == 0 ? random.nextInt(300) : PLENTY);
      builder.free(1, node, random.nextBoolean() ? 0 : random.nextInt(500));
      if (random.nextInt(10) == 0) {
        builder.leaving(node);
      } else if (random.nextInt(10) == 0) {
        builder.accepts(node, false);
      }
    }
    for (int rack = 0; rack < topology.rackCount() && mix.narrowRacks(); rack++) {
      if (random.nextBoolean()) {
        builder.rack(rack, random.nextInt(60), random.nextInt(60));
      }
    }
    return builder.build();
  }

  private static RecoveryBatch batch(ClusterTopology topology, RandomGenerator random, Mix mix) {
    int nodes = topology.nodeCount();
    RecoveryBatch.Builder builder = new RecoveryBatch.Builder(nodes);
    SpreadRule[] rules = {
      SpreadRule.PAPER, SpreadRule.hdfs(3, topology.rackCount()), new SpreadRule(1, 2)
    };
    int count = random.nextInt(1, 60);
    for (int task = 0; task < count; task++) {
      int[] mixed = shuffled(nodes, random);
      int sources = Math.min(nodes, random.nextInt(4));
      int standing = Math.min(nodes, sources + (random.nextInt(4) == 0 ? 1 : 0));
      int barred = Math.min(nodes, standing + (random.nextInt(4) == 0 ? 1 : 0));
      builder
          .task(20L + random.nextInt(mix.sizes()), random.nextInt(mix.priorities()))
          .storageType(random.nextInt(8) == 0 ? 1 : 0)
          .spread(rules[random.nextInt(rules.length)])
          .sources(Arrays.copyOf(mixed, sources))
          .standing(Arrays.copyOfRange(mixed, sources, standing))
          .barred(Arrays.copyOfRange(mixed, standing, barred));
      if (mix.running() && random.nextInt(4) == 0 && sources > 0 && barred < nodes) {
        builder.running(mixed[0], mixed[nodes - 1], random.nextInt(20), random.nextInt(10));
      }
    }
    return builder.build();
  }

  static int[] shuffled(int count, RandomGenerator random) {
    int[] mixed = IntStream.range(0, count).toArray();
    for (int i = count - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int kept = mixed[i];
      mixed[i] = mixed[j];
      mixed[j] = kept;
    }
    return mixed;
  }
}
