/**
 * The papers' claims beside the simulator's results. Claims are data in files beside these classes;
 * a paper brings {@link org.rackweave.sim.claims.Metrics}, by whose names the files say what is
 * measured. All are judged by {@link org.rackweave.sim.claims.ClaimRule}, by confidence intervals.
 */
package org.rackweave.sim.claims;
