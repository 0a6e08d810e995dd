/**
 * The network as fluids: a flow has a rate, a link a capacity, and rates are max-min fair, as many
 * long TCP connections are on average. No packets, no slow start, no latency.
 *
 * <p>{@link org.rackweave.sim.network.FlowNetwork} is the door. Anything of limited rate is a link:
 * a direction of a wire, a disk, a throttle. A write pipeline is one flow over the links of all its
 * hops, because it runs at the rate of its slowest one.
 */
package org.rackweave.sim.network;
