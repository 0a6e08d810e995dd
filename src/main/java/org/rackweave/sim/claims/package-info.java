/**
 * The papers' claims beside what the simulator sees. A paper brings a {@link
 * org.rackweave.sim.claims.ClaimSet}: which scenarios it needs, and how their results are judged. A
 * claim that is not reproduced stays in the table, with the cause.
 */
package org.rackweave.sim.claims;
