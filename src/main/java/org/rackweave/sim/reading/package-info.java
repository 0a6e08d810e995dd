/**
 * Reads of whole clusters, read by read: what EAFR's paper measures in its section 4.
 *
 * <p>A read asks one server. That serves so many at a time, each with an equal part of its link,
 * and the others wait in the order of their arrival. Flows of the room {@code network} would share
 * every link of the way exactly, but cost a hundred times as much as the millions of reads here can
 * take; copies of replicas, of which there are few, go over it ({@link
 * org.rackweave.sim.reading.CopyRun}).
 *
 * <p>{@link org.rackweave.sim.reading.ReadRun} runs one system, {@link
 * org.rackweave.sim.reading.EafrSystem} among them, which asks the objects of the room {@code eafr}
 * as the NameNode does.
 */
package org.rackweave.sim.reading;
