package org.rackweave.sim.encoding;

/** Decides who reads what, where parity goes and which replica stays. */
@FunctionalInterface
public interface EncodingChoice {
  /**
   * @param taskNode node that the task runs on; {@link org.rackweave.model.ClusterTopology#NONE}
   *     when the stripe says where it is encoded
   * @throws IllegalStateException when the stripe cannot be encoded
   */
  EncodingSteps choose(ReplicatedStripe stripe, int taskNode);
}
