/**
 * What experiments have in common, whatever cluster they run on: which racks are hot when, how a
 * write is classed, what a figure is and how it spreads over seeds, and the course of all features
 * beside none ({@link org.rackweave.cli.experiment.SideCourse}). {@link org.rackweave.cli.demo}
 * runs them on a cluster in one process, {@link org.rackweave.cli.testbed.compare} on a testbed of
 * real processes.
 */
package org.rackweave.cli.experiment;
