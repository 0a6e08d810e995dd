/**
 * What experiments with writes have in common, whatever cluster they run on: who is hot when, how a
 * write is classed, what the figures of a policy are and how they are shown. {@link
 * org.rackweave.cli.demo} runs them on a cluster in one process, {@link
 * org.rackweave.cli.testbed.compare} on a testbed of real processes.
 */
package org.rackweave.cli.experiment;
