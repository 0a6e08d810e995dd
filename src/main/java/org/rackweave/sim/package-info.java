/**
 * A cluster that exists in arithmetic only: the same decision objects as in the NameNode, over
 * thousands of nodes, in seconds.
 *
 * <ul>
 *   <li>{@code engine}: a clock, the events that move it and the rules that must hold after each.
 *   <li>{@code network}: flows that share links max-min fairly.
 *   <li>{@code cluster}: racks, nodes and disks as links; what their heartbeats tell.
 *   <li>{@code workload} and {@code scenario}: what is asked of the cluster, from files people
 *       read.
 *   <li>{@code encoding}: stripes that are encoded, and by whom.
 *   <li>{@code reading}: reads of whole clusters, one by one, and where replicas follow them.
 * </ul>
 *
 * <p>One thread, no wall clock, no randomness but what a seed gives: the same input is the same
 * run.
 */
package org.rackweave.sim;
