/**
 * Encoding as simulated work: stripes of replicated blocks that are there before a run begins, the
 * choice of who encodes each and what stays where, and the transfers that takes. EAR's side is a
 * thin hand that feeds the product's own planner; the other is the paper's baseline, random
 * replication (RR).
 */
package org.rackweave.sim.encoding;
