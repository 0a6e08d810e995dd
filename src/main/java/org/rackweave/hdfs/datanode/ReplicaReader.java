package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.DataChecksum;

/** A range of a replica on some DataNode; used by one thread. */
final class ReplicaReader implements ReadableByteChannel {
  private final BlockReader reader;
  private final Peer peer;
  private final LocatedBlock located;
  private final TransferOrigin origin;
  private long receivedBytes;

  /**
   * @param located the block and the DataNode it is read from
   * @param origin is told when the replica is corrupt
   */
  ReplicaReader(BlockReader reader, Peer peer, LocatedBlock located, TransferOrigin origin) {
    this.reader = reader;
    this.peer = peer;
    this.located = located;
    this.origin = origin;
  }

  /**
   * Reads on.
   *
   * @throws IOException naming block and DataNode when the replica is corrupt, of which HDFS knows
   *     then
   */
  @Override
  public int read(ByteBuffer into) throws IOException {
    try {
      int bytes = reader.read(into);
      receivedBytes += Math.max(0, bytes);
      return bytes;
    } catch (ChecksumException e) {
      origin.reportCorrupt(located);
      throw new IOException(
          located.getBlock() + " on " + located.getLocations()[0] + " is corrupt", e);
    }
  }

  /** How the DataNode keeps the checksums of the block. */
  DataChecksum checksum() {
    return reader.getDataChecksum();
  }

  LocatedBlock located() {
    return located;
  }

  /** Tells HDFS that the replica is not what was encoded, so that it is made again. */
  void reportCorrupt() throws IOException {
    origin.reportCorrupt(located);
  }

  /** Bytes of the block that came, so far. */
  long receivedBytes() {
    return receivedBytes;
  }

  @Override
  public boolean isOpen() {
    return !peer.isClosed();
  }

  @Override
  public void close() throws IOException {
    try {
      reader.close();
    } finally {
      IOUtils.closeStream(peer);
    }
  }
}
