/**
 * Scenarios: YAML files that say what is simulated. A section is a record, its components say what
 * may be written, what is taken when nothing is, and what it means. Reading gives validated records
 * or an error with file, line, key, value and allowed range; see {@code docs/scenarios.md}.
 */
package org.rackweave.sim.scenario;
