/**
 * The DataNode's agent: it measures the load of the DataNode's link and sends it to the NameNode on
 * the heartbeat.
 *
 * <ul>
 *   <li>{@link org.rackweave.hdfs.datanode.HeartbeatRpcEngine} is the way in: Hadoop builds its
 *       NameNode proxies through it, and {@link org.rackweave.hdfs.datanode.HeartbeatHandler} adds
 *       a report to every heartbeat and reads the reply.
 *   <li>{@link org.rackweave.hdfs.datanode.HeartbeatAgent} makes the report. There is one for each
 *       NameNode a DataNode talks to, so none shares state with another.
 *   <li>A {@link org.rackweave.hdfs.datanode.LinkSampler} reads the counters: of the network
 *       interface, or of the DataNode itself where several share an interface.
 *   <li>{@link org.rackweave.hdfs.datanode.LinkWatch} has the counters read several times a second
 *       between heartbeats, so that each report tells the link's rates of that moment, and has a
 *       heartbeat sent out of turn when a link's load is quite another one.
 * </ul>
 *
 * <p>Whatever fails here, the heartbeat goes out as HDFS made it.
 */
package org.rackweave.hdfs.datanode;
