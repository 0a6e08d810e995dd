/**
 * The simulated cluster: machines as links and states, and what the simulated NameNode knows of
 * them.
 *
 * <p>{@link org.rackweave.sim.cluster.ClusterLinks} numbers the links and lays paths; {@link
 * org.rackweave.sim.cluster.Cluster} holds what changes (who is up, how full, how busy); {@link
 * org.rackweave.sim.cluster.Heartbeats} and {@link org.rackweave.sim.cluster.LinkKnowledge} are the
 * way from true counters to the estimates a policy sees, through the very objects of the NameNode.
 */
package org.rackweave.sim.cluster;
