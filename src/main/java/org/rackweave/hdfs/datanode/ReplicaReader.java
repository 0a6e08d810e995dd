package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.io.IOUtils;

/** A range of a replica on some DataNode; used by one thread. */
final class ReplicaReader implements ReadableByteChannel {
  private final BlockReader reader;
  private final Peer peer;
  private long receivedBytes;

  ReplicaReader(BlockReader reader, Peer peer) {
    this.reader = reader;
    this.peer = peer;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    int bytes = reader.read(into);
    receivedBytes += Math.max(0, bytes);
    return bytes;
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
