/**
 * What all copies of replicas in one NameNode have in common: recovery, or moves between servers.
 */
package org.rackweave.hdfs.copies;
