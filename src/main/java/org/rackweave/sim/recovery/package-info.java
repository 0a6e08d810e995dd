/**
 * Dayu's recovery of a failed node as a flow-level model: copies with rates of their own over links
 * that a moving foreground uses too (Wang et al., USENIX ATC 2019, section 5).
 *
 * <p>{@link org.rackweave.sim.recovery.Recovery} is one recovery. It reports, asks the NameNode's
 * {@link org.rackweave.dayu.RecoveryPlanner} what to do, and lets {@link
 * org.rackweave.sim.recovery.CopyFlows} carry that out until the next plan. {@link
 * org.rackweave.sim.recovery.IdealRecovery} says how fast it could have been, {@link
 * org.rackweave.sim.recovery.OverloadMeter} what it did to the foreground (Eq. 3 and 4).
 *
 * <p>The paper leaves open what happens on a link that is asked for more than it carries. Unless a
 * scenario says otherwise the foreground takes what it wants and recovery what is left, but no less
 * than B_min, which is what a node assigns to recovery whatever the foreground takes (Eq. 1).
 */
package org.rackweave.sim.recovery;
