package org.rackweave.cli.testbed.compare;

import org.rackweave.cli.experiment.Contender;

/**
 * One row of a comparison: a method and with which settings it runs.
 *
 * @param <C> the methods
 * @param contender what it is called in the results: the method itself, or {@link Retuned}
 */
record Entry<C extends Contender>(C method, Tuning tuning, Contender contender) {}
