/**
 * Work that a NameNode gives to DataNodes: orders travel on heartbeat replies, their results on
 * heartbeats. The codec and the queue of orders; what an order does is with the DataNode's
 * adapters.
 */
package org.rackweave.hdfs.work;
