/**
 * EAFR inside a NameNode: counts what is read ({@link org.rackweave.hdfs.eafr.ReadInterceptor},
 * {@link org.rackweave.hdfs.eafr.ReadCounting}), asks the pure planner once an interval ({@link
 * org.rackweave.hdfs.eafr.EafrService}), carries its plans out one file at a time ({@link
 * org.rackweave.hdfs.eafr.FactorChange}) or block by block ({@link
 * org.rackweave.hdfs.eafr.ReplicaMoves}), and answers operators ({@link
 * org.rackweave.hdfs.eafr.EafrAdmin}).
 *
 * <p>What lasts is in the files themselves: the factor that its user gave a file is an extended
 * attribute of it as long as it has another one. Everything else is soft state of the active
 * NameNode, which the next one starts again.
 */
package org.rackweave.hdfs.eafr;
