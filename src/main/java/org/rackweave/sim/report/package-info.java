/** Figures from what was seen: samples, comparisons of policies, claims and their evidence. */
package org.rackweave.sim.report;
