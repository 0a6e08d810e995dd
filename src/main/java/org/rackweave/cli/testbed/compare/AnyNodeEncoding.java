package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.rackweave.cli.testbed.Host;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.compare.worker.Report.Done;
import org.rackweave.cli.testbed.compare.worker.Task;
import org.rackweave.hdfs.ear.FileShrinking.Outcome;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;
import org.rackweave.sim.encoding.EncodingSteps;
import org.rackweave.sim.encoding.RandomEncoding;
import org.rackweave.sim.encoding.ReplicatedStripe;

/**
 * RR: stripes are blocks as they were written, and nodes encode one each in turn, reading blocks
 * from the nearest replicas and writing parity to random nodes in racks that have room for it.
 * Surplus replicas stay, and what would have to be relocated is counted and not moved.
 */
final class AnyNodeEncoding implements Encoding {

  private final List<Host> nodes;
  private final EncodePlan plan;
  private final String from;
  private final String parity;
  private final List<EncodingSteps> steps = new ArrayList<>();

  /**
   * @param from holds the files
   * @param parity gets the parity files
   */
  AnyNodeEncoding(Session session, EncodePlan plan, String from, String parity) throws IOException {
    this.nodes = session.layout().dataNodes();
    this.plan = plan;
    this.from = from;
    this.parity = parity;
    Map<String, int[]> replicas = new HashMap<>();
    for (ClusterFiles.Stored file : session.files().list(from)) {
      replicas.put(file.path(), file.replicas().stream().mapToInt(Integer::intValue).toArray());
    }
    RandomEncoding choice =
        new RandomEncoding(
            EncodeSettings.rules(), topology(session.layout()), new SplittableRandom(plan.seed()));
    for (int stripe = 0; stripe < plan.groups().size(); stripe++) {
      int[][] data =
          plan.groups().get(stripe).stream()
              .map(file -> replicas.get(path(file)))
              .toArray(int[][]::new);
      steps.add(choice.choose(ReplicatedStripe.ofConsecutive(data), encoder(stripe)));
    }
  }

  private static ClusterTopology topology(Layout layout) {
    return ClusterTopology.of(
        layout.dataNodes().stream()
            .map(host -> new NodePlace(host.name(), host.location(), null))
            .toList());
  }

  private String path(int file) {
    return readable(plan.files().get(file).name());
  }

  private int encoder(int stripe) {
    return plan.encoders().get(stripe % plan.encoders().size());
  }

  @Override
  public void addTo(HostTasks tasks, long atMs) {
    Map<Integer, List<Task.Stripe>> stripes = new HashMap<>();
    for (int stripe = 0; stripe < steps.size(); stripe++) {
      List<String> data = plan.groups().get(stripe).stream().map(this::path).toList();
      List<String> made = new ArrayList<>();
      List<String> targets = new ArrayList<>();
      for (int target : steps.get(stripe).parityTargets()) {
        made.add(parity + "/" + stripe + "-" + made.size());
        targets.add(nodes.get(target).address());
      }
      stripes
          .computeIfAbsent(encoder(stripe), node -> new ArrayList<>())
          .add(new Task.Stripe(data, made, targets));
    }
    stripes.forEach(
        (node, its) ->
            tasks.add(
                node, new Task.Encode("encode-" + node, atMs, EncodeSettings.CODE.name(), its)));
  }

  @Override
  public boolean isOver(List<Done> done) {
    return done.size() == steps.size();
  }

  @Override
  public Outcome outcome(List<Done> done) {
    long moves = 0;
    for (EncodingSteps one : steps) {
      for (int block = 0; block < one.homes().length; block++) {
        moves += one.homes()[block] == one.keepers()[block] ? 0 : 1;
      }
    }
    return new Outcome(
        done.stream().mapToLong(Done::sizeBytes).sum(), moves / (double) steps.size());
  }

  @Override
  public String readable(String name) {
    return from + "/" + name;
  }
}
