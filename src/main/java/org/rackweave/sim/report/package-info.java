/** Figures from what was seen: comparisons of policies, by block and by scenario. */
package org.rackweave.sim.report;
