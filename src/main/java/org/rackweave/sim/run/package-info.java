/**
 * One scenario brought to life: everything wired together, run for one policy and one seed, and
 * what was seen.
 */
package org.rackweave.sim.run;
