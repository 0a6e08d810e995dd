/**
 * Degraded reads: messages between clients, DataNodes and NameNodes when a client reads a block of
 * an encoded stripe without a replica.
 *
 * <p>A client asks its NameNode, by {@link org.rackweave.hdfs.degraded.Decoders an attribute of the
 * file}, who decodes; and such a DataNode for {@link org.rackweave.hdfs.degraded.DecodeRequest a
 * range} of the block, with the block's own token. The DataNode asks its NameNode {@link
 * org.rackweave.hdfs.degraded.NameNodeQuery what to read}, decodes that range and {@link
 * org.rackweave.hdfs.degraded.FramedBytes sends} it and nothing else: blocks of a stripe belong to
 * files of different owners.
 */
package org.rackweave.hdfs.degraded;
