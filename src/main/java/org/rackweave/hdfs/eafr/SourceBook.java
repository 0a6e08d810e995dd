package org.rackweave.hdfs.eafr;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * Who is to send copies, from the choice until HDFS tells the source, which takes heartbeats.
 *
 * <p>A copy is known by the array of its targets, which HDFS keeps as the placement policy gave it.
 * Some 300 bytes a copy, at most {@link #CHOICES_MAX}. Not thread-safe.
 */
final class SourceBook {
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

  /** By targets, oldest first; arrays are equal to themselves only. */
  private final Map<DatanodeStorageInfo[], Choice> choices = new LinkedHashMap<>();

  /** By UUID of who is drawn or chosen. */
  private final Map<String, Set<Choice>> byNode = new HashMap<>();

  boolean isEmpty() {
    return choices.isEmpty();
  }

  boolean isFull() {
    return choices.size() >= CHOICES_MAX;
  }

  void add(Choice choice) {
    choices.put(choice.targets, choice);
    of(choice.drawn).add(choice);
    of(choice.chosen).add(choice);
  }

  private Set<Choice> of(DatanodeDescriptor node) {
    return byNode.computeIfAbsent(node.getDatanodeUuid(), uuid -> new HashSet<>());
  }

  /** The choice for a copy that HDFS has not been seen to order yet, {@code null} for none. */
  Choice awaited(DatanodeStorageInfo[] targets) {
    Choice choice = choices.get(targets);
    return choice == null || choice.isOrdered ? null : choice;
  }

  void remove(Choice choice) {
    choices.remove(choice.targets);
    remove(choice.drawn, choice);
    remove(choice.chosen, choice);
  }

  private void remove(DatanodeDescriptor node, Choice choice) {
    Set<Choice> its = byNode.get(node.getDatanodeUuid());
    if (its != null && its.remove(choice) && its.isEmpty()) {
      byNode.remove(node.getDatanodeUuid());
    }
  }

  /** Copies that a DataNode is to send and has not been told of. */
  int planned(DatanodeDescriptor node) {
    int planned = 0;
    for (Choice choice : byNode.getOrDefault(node.getDatanodeUuid(), Set.of())) {
      planned += choice.chosen == node ? 1 : 0;
    }
    return planned;
  }

  /** Those of them that do not wait for it yet, since stock has drawn another. */
  int coming(DatanodeDescriptor node) {
    int coming = 0;
    for (Choice choice : byNode.getOrDefault(node.getDatanodeUuid(), Set.of())) {
      coming += choice.chosen == node && choice.isRedirection() && !choice.isOrdered ? 1 : 0;
    }
    return coming;
  }

  /** For whom copies wait that concern a DataNode, because it was drawn or because it is chosen. */
  Collection<DatanodeDescriptor> drawnFor(String uuid) {
    Set<DatanodeDescriptor> drawn = new HashSet<>();
    for (Choice choice : byNode.getOrDefault(uuid, Set.of())) {
      if (!choice.isOrdered) {
        drawn.add(choice.drawn);
      }
    }
    return drawn;
  }

  /** A DataNode is told of what waits for it. */
  void told(String uuid) {
    for (Choice choice : List.copyOf(byNode.getOrDefault(uuid, Set.of()))) {
      if (choice.isOrdered && choice.chosen.getDatanodeUuid().equals(uuid)) {
        remove(choice);
      }
    }
  }

  /** Takes out, and gives back, what is over. */
  List<Choice> expire(long nowMs) {
    List<Choice> expired = new ArrayList<>();
    Iterator<Choice> oldest = choices.values().iterator();
    for (Choice next; oldest.hasNext() && (next = oldest.next()).untilMs <= nowMs; ) {
      expired.add(next);
    }
    expired.forEach(this::remove);
    return expired;
  }

  void clear() {
    choices.clear();
    byNode.clear();
  }
}
