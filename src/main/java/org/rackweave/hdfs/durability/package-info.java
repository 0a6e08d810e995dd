/** What deaths of DataNodes would lose, from the memory of one NameNode. */
package org.rackweave.hdfs.durability;
