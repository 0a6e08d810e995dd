/**
 * What every placement algorithm has in common: a request, the admission test that the host system
 * applies to each candidate, and a decision that says what was chosen and why the rest was not.
 *
 * <p>{@link org.rackweave.placement.ReplicaChooser} is an algorithm, {@link
 * org.rackweave.placement.Draft} the rules all of them obey while they choose, {@link
 * org.rackweave.placement.RandomPlacement} the simplest of them. Algorithms are composed by putting
 * one's hard rules, as an admission, in front of the host's, and letting another rank what is left.
 *
 * <p>An algorithm never looks behind {@link org.rackweave.placement.Admission}: whatever stock HDFS
 * refuses (space, load, stale or slow nodes, exclusion, storage types) is refused there, so that
 * ranking and rules stay apart. Pure.
 */
package org.rackweave.placement;
