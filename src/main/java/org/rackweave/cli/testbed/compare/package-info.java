/**
 * Compares policies, and all features with none, on a testbed: {@code docker/testbed compare}.
 *
 * <p>An {@link org.rackweave.cli.testbed.compare.Experiment} says what is compared; one runner,
 * {@link org.rackweave.cli.testbed.compare.ComparedRuns}, and one report serve all. Every policy of
 * a seed meets the same plan (arrivals, hot racks, victim), in turns; a run that other work on the
 * machine disturbed is repeated; every figure comes with its spread over seeds. Plans, classes,
 * figures and reports are pure and tested without a testbed; {@link
 * org.rackweave.cli.testbed.compare.Workers} makes the processes inside the hosts carry plans out.
 */
package org.rackweave.cli.testbed.compare;
