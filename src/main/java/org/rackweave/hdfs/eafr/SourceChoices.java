package org.rackweave.hdfs.eafr;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * Sources chosen for copies, until HDFS orders them from the source, which takes heartbeats.
 *
 * <p>A copy is known by the array of its targets, which HDFS keeps as the placement policy gave it.
 * A DataNode has a few copies, which are looked through; nothing depends on how many there are in
 * all. Some 400 bytes a copy, at most {@link #CHOICES_MAX}. Not thread-safe.
 */
final class SourceChoices {
  /** HDFS looks at two copies a DataNode in three seconds; this is two rounds of 25,000. */
  static final int CHOICES_MAX = 100_000;

  /** One choice; its identity counts. */
  static final class Choice {
    private final DatanodeStorageInfo[] targets;
    private final DatanodeDescriptor drawn;
    private final DatanodeDescriptor chosen;
    private final long untilMs;
    private boolean isOrdered;

    /**
     * @param drawn by stock HDFS
     * @param chosen instead, or the same
     * @param untilMs when HDFS has not ordered the copy until then, it will not
     */
    Choice(
        DatanodeStorageInfo[] targets,
        DatanodeDescriptor drawn,
        DatanodeDescriptor chosen,
        long untilMs) {
      this.targets = targets;
      this.drawn = drawn;
      this.chosen = chosen;
      this.untilMs = untilMs;
    }

    DatanodeDescriptor chosen() {
      return chosen;
    }

    boolean isRedirection() {
      return chosen != drawn;
    }

    /** Whether HDFS was seen to have ordered the copy, and it waits for the one that is chosen. */
    boolean isOrdered() {
      return isOrdered;
    }

    void ordered() {
      isOrdered = true;
    }
  }

  /** The oldest first. */
  private final Set<Choice> choices = new LinkedHashSet<>();

  /** By UUID of who is drawn or chosen. */
  private final Map<String, Set<Choice>> byNode = new HashMap<>();

  boolean isEmpty() {
    return choices.isEmpty();
  }

  boolean isFull() {
    return choices.size() >= CHOICES_MAX;
  }

  void add(Choice choice) {
    choices.add(choice);
    add(choice.drawn, choice);
    if (choice.isRedirection()) {
      add(choice.chosen, choice);
    }
  }

  private void add(DatanodeDescriptor node, Choice choice) {
    byNode.computeIfAbsent(node.getDatanodeUuid(), uuid -> new LinkedHashSet<>(2)).add(choice);
  }

  /**
   * The choice for a copy that HDFS has not been seen to order yet, {@code null} for none.
   *
   * @param drawn for whom the copy waits
   */
  Choice awaited(DatanodeDescriptor drawn, DatanodeStorageInfo[] targets) {
    for (Choice choice : of(drawn.getDatanodeUuid())) {
      if (choice.targets == targets) {
        return choice.isOrdered ? null : choice;
      }
    }
    return null;
  }

  private Set<Choice> of(String uuid) {
    return byNode.getOrDefault(uuid, Set.of());
  }

  /** Takes out a choice that is in. */
  void remove(Choice choice) {
    choices.remove(choice);
    remove(choice.drawn, choice);
    if (choice.isRedirection()) {
      remove(choice.chosen, choice);
    }
  }

  private void remove(DatanodeDescriptor node, Choice choice) {
    Set<Choice> its = byNode.get(node.getDatanodeUuid());
    its.remove(choice);
    if (its.isEmpty()) {
      byNode.remove(node.getDatanodeUuid());
    }
  }

  /** Copies that a DataNode is to send and has not been told of. */
  int planned(DatanodeDescriptor node) {
    int planned = 0;
    for (Choice choice : of(node.getDatanodeUuid())) {
      planned += choice.chosen == node ? 1 : 0;
    }
    return planned;
  }

  /** Those of them that do not wait for it yet, since stock has drawn another. */
  int coming(DatanodeDescriptor node) {
    int coming = 0;
    for (Choice choice : of(node.getDatanodeUuid())) {
      coming += choice.chosen == node && choice.isRedirection() && !choice.isOrdered ? 1 : 0;
    }
    return coming;
  }

  /** For whom copies wait that concern a DataNode, because it was drawn or because it is chosen. */
  List<DatanodeDescriptor> drawnFor(String uuid) {
    List<DatanodeDescriptor> drawn = List.of();
    for (Choice choice : of(uuid)) {
      if (!choice.isOrdered && !drawn.contains(choice.drawn)) {
        drawn = drawn.isEmpty() ? new ArrayList<>(2) : drawn;
        drawn.add(choice.drawn);
      }
    }
    return drawn;
  }

  /** A DataNode is told of what waits for it. */
  void told(String uuid) {
    for (Choice choice : List.copyOf(of(uuid))) {
      if (choice.isOrdered && choice.chosen.getDatanodeUuid().equals(uuid)) {
        remove(choice);
      }
    }
  }

  /** Takes out, and gives back, what is over. */
  List<Choice> expire(long nowMs) {
    List<Choice> expired = new ArrayList<>();
    for (Choice choice : choices) {
      if (choice.untilMs > nowMs) {
        break; // so do all later ones
      }
      expired.add(choice);
    }
    expired.forEach(this::remove);
    return expired;
  }

  void clear() {
    choices.clear();
    byNode.clear();
  }
}
