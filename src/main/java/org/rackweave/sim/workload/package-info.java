/**
 * What arrives at the simulated cluster: readers of traces and of an operator's own files, and
 * seeded generators that follow published statistics. Everything here is an immutable value or a
 * stream of timed requests; nothing knows the engine that consumes them.
 */
package org.rackweave.sim.workload;
