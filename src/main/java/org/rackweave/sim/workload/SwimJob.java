package org.rackweave.sim.workload;

/**
 * One MapReduce job of a SWIM workload.
 *
 * @param name as the trace names it
 * @param submitMs when it is submitted, in milliseconds since the trace's beginning
 * @param inputBytes read by its maps
 * @param shuffleBytes sent from maps to reduces; 0 for a job of maps only
 * @param outputBytes written at its end
 */
public record SwimJob(
    String name, long submitMs, long inputBytes, long shuffleBytes, long outputBytes) {}
