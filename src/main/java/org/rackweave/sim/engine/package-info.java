/**
 * Discrete events. Time is a {@code long} of nanoseconds: two events are at the same instant or
 * they are not, sums do not depend on their order, and a year fits 292 times over; with fractional
 * seconds, events meant for one instant would drift apart and each cost its own recomputation.
 */
package org.rackweave.sim.engine;
