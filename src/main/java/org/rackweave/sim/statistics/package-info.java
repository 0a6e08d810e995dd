/** What is said of many numbers: means, quantiles, how far they differ, and how sure a mean is. */
package org.rackweave.sim.statistics;
