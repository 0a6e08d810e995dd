/**
 * The NameNode's side: the plugin, one {@link org.rackweave.hdfs.namenode.PlacementContext} per
 * NameNode, the tap that reads DataNode heartbeats, metrics and the run-time switch.
 */
package org.rackweave.hdfs.namenode;
