/**
 * What every placement algorithm has in common: a request, the admission test that the host system
 * applies to each candidate, and a decision that says what was chosen and why the rest was not.
 *
 * <p>An algorithm never looks behind {@link org.rackweave.placement.Admission}: whatever stock HDFS
 * refuses (space, load, stale or slow nodes, exclusion, storage types) is refused there, so that
 * ranking and rules stay apart. Pure.
 */
package org.rackweave.placement;
