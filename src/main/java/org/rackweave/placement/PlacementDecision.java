package org.rackweave.placement;

import java.util.Arrays;
import org.rackweave.model.ClusterTopology;

/**
 * What an algorithm chose, or why it chose nothing.
 *
 * @param nodes the new replicas' nodes in order of choice; empty when {@code fallback} is set
 * @param fallback why stock placement must act, {@code null} when the decision stands
 * @param refused candidates looked at and not taken, as pairs (node, ordinal of {@link Refusal})
 */
public record PlacementDecision(int[] nodes, FallbackReason fallback, int[] refused) {
  private static final int[] NONE = {};

  public static PlacementDecision of(int[] nodes, int[] refused) {
    return new PlacementDecision(nodes, null, refused);
  }

  public static PlacementDecision fallback(FallbackReason reason, int[] refused) {
    return new PlacementDecision(NONE, reason, refused);
  }

  public boolean stands() {
    return fallback == null;
  }

  /** One line for people: what was chosen and why each other candidate was not. */
  public String describe(ClusterTopology topology) {
    StringBuilder text = new StringBuilder(stands() ? "chose" : "fell back: " + fallback.label());
    for (int node : nodes) {
      text.append(' ').append(topology.placeOf(node));
    }
    for (int i = 0; i < refused.length; i += 2) {
      text.append(i == 0 ? "; refused " : ", ").append(topology.placeOf(refused[i]));
      text.append(" (").append(Refusal.values()[refused[i + 1]]).append(')');
    }
    return text.toString();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PlacementDecision that
        && Arrays.equals(nodes, that.nodes)
        && fallback == that.fallback
        && Arrays.equals(refused, that.refused);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(nodes) * 31 + (fallback == null ? 0 : fallback.ordinal());
  }

  @Override
  public String toString() {
    return "PlacementDecision" + Arrays.toString(nodes) + (stands() ? "" : fallback.label());
  }
}
