package org.rackweave.placement;

/**
 * The host system's own rules, asked about one candidate at a time.
 *
 * <p>An implementation may remember what it admitted: {@code admit} is called in the order of
 * choice, and a node it admitted is part of the decision unless the decision as a whole fails.
 *
 * <p>Another algorithm's hard rules may stand in front of the host's: an admission that refuses by
 * its own rules first and asks the one behind it about the rest. A ranking sees one admission and
 * need not know.
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

  /**
   * Whether asking about the nodes of a rack makes sense at all. False only when every one of them
   * would be refused for the next replica; it spares asking them one by one.
   */
  default boolean admitsRack(int rack) {
    return true;
  }
}
