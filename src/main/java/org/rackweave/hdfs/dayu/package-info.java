/**
 * Dayu inside a NameNode: {@link org.rackweave.hdfs.dayu.NameNodeRecovery} plans slot by slot with
 * the pure planner and has HDFS carry the plan out. Stock HDFS is held back by a claim that has to
 * be renewed all the time, so that lost replicas are re-created whatever happens here.
 */
package org.rackweave.hdfs.dayu;
