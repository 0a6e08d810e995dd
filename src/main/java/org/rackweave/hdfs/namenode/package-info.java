/**
 * The NameNode's side: the plugin, one {@link org.rackweave.hdfs.namenode.PlacementContext} per
 * NameNode, the interceptor that reads DataNode heartbeats, metrics and the run-time switch.
 */
package org.rackweave.hdfs.namenode;
