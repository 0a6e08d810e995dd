package org.rackweave.sim.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What an operator puts in place of what a scenario says.
 *
 * @param seed of the first run
 * @param runs number of runs
 * @param topologyFile text of {@code -printTopology}, in place of counted racks
 * @param auditFiles parts of one audit log, the oldest first, in place of the scenario's clients.
 *     Traffic that clients do not make stays; what varied the clients is dropped.
 * @param listingFile text of the namespace, for the audit log
 */
public record Overrides(
    OptionalLong seed,
    OptionalInt runs,
    Optional<String> topologyFile,
    List<String> auditFiles,
    Optional<String> listingFile) {

  /** Nothing in place of anything. */
  public static final Overrides NONE =
      new Overrides(
          OptionalLong.empty(), OptionalInt.empty(), Optional.empty(), List.of(), Optional.empty());

  public Overrides {
    auditFiles = List.copyOf(auditFiles);
  }

  /** Changes a scenario that is valid as it is. */
  void apply(ObjectNode root) {
    ObjectNode run = (ObjectNode) root.get("run");
    seed.ifPresent(first -> run.put("seed", Long.toString(first)));
    runs.ifPresent(number -> run.put("runs", Integer.toString(number)));
    topologyFile.ifPresent(file -> replaceRacks((ObjectNode) root.get("cluster"), file, root));
    if (!auditFiles.isEmpty()) {
      replaceClients(root);
    }
  }

  private static void replaceRacks(ObjectNode cluster, String file, ObjectNode root) {
    for (String counted : List.of("racks", "nodes-per-rack")) {
      cluster.remove(counted);
      dropVariation(root, "cluster." + counted);
    }
    cluster.put("topology", file);
  }

  private void replaceClients(ObjectNode root) {
    JsonNode before = root.get("workloads");
    ArrayNode workloads = root.putArray("workloads");
    ObjectNode audit = workloads.addObject();
    audit.put("kind", "audit").put("name", "audit").put("log", String.join(",", auditFiles));
    listingFile.ifPresent(file -> audit.put("listing", file));
    for (JsonNode one : before) {
      Class<?> kind = Setting.kinds(WorkloadSpec.class).get(one.get("kind").asText());
      if (WorkloadSpec.Background.class.isAssignableFrom(kind)) {
        workloads.add(one);
      } else {
        dropVariation(root, one.get("name").asText() + ".");
      }
    }
  }

  private static void dropVariation(ObjectNode root, String beginning) {
    if (root.get("vary") instanceof ObjectNode vary) {
      List<String> targets = new ArrayList<>();
      vary.fieldNames().forEachRemaining(targets::add);
      targets.stream().filter(target -> target.startsWith(beginning)).forEach(vary::remove);
    }
  }
}
