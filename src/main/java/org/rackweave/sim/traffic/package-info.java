/**
 * What the workload's requests become: block writes through pipelines that a policy places, and
 * transfers that nobody may redirect.
 */
package org.rackweave.sim.traffic;
