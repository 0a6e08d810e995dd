package org.rackweave.placement;

/**
 * The host system's own rules, asked about one candidate at a time.
 *
 * <p>An implementation may remember what it admitted: {@code admit} is called in the order of
 * choice, and a node it admitted is part of the decision unless the decision as a whole fails.
 */
@FunctionalInterface
public interface Admission {
  /**
   * @param node candidate
   * @param local whether the candidate is the writer's own node, to which HDFS applies no load
   *     limit
   * @return {@code null} when the candidate is taken, otherwise why not
   */
  Refusal admit(int node, boolean local);
}
