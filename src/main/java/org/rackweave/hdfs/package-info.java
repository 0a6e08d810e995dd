/**
 * Everything that touches Hadoop through public or stable seams: configuration, the plugins that
 * run inside NameNode and DataNode, the heartbeat channel, metrics. Placement decisions are made in
 * the pure rooms; this room feeds them and carries them out.
 */
package org.rackweave.hdfs;
