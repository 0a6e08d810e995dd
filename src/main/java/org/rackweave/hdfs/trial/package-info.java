/** Comparisons of write times, in a NameNode: what begins and ends them, and what follows. */
package org.rackweave.hdfs.trial;
