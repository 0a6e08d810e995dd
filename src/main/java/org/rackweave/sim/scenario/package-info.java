/**
 * Scenarios: readable text files that say what is simulated. Parsing gives validated records or an
 * error with file, line, key, value and allowed range; see {@code docs/scenarios.md}.
 */
package org.rackweave.sim.scenario;
