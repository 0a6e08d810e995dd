package org.rackweave.hdfs.client;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.shortcircuit.ClientMmap;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.DataChecksum;
import org.rackweave.hdfs.degraded.DecodeRequest;
import org.rackweave.hdfs.degraded.FramedBytes;

/**
 * A range of a block that a DataNode decodes, in the place of a replica. What was encoded had its
 * checksums verified when it was read; on its way the range has sums of its own. Used by one
 * thread.
 */
public final class DecodedBlockReader implements BlockReader {
  private static final int SKIP_BYTES = 64 << 10;

  private final Peer peer;
  private final FramedBytes.Receiver receiver;
  private long left;

  private DecodedBlockReader(Peer peer, FramedBytes.Receiver receiver, long length) {
    this.peer = peer;
    this.receiver = receiver;
    left = length;
  }

  /**
   * Asks for a range.
   *
   * @param peer a connection to a DataNode that decodes, closed with the reader
   * @throws IOException when it refuses, as HDFS's clients expect it of a bad token
   */
  public static BlockReader open(Peer peer, DecodeRequest request) throws IOException {
    try {
      DataOutputStream out = new DataOutputStream(new BufferedOutputStream(peer.getOutputStream()));
      request.write(out);
      out.flush();
      DataInputStream in = new DataInputStream(new BufferedInputStream(peer.getInputStream()));
      FramedBytes.Receiver receiver = new FramedBytes.Receiver(in);
      receiver.awaitGrant();
      return new DecodedBlockReader(peer, receiver, request.length());
    } catch (IOException e) {
      IOUtils.closeStream(peer);
      throw e;
    }
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    if (left <= 0) {
      return -1;
    }
    int limit = into.limit();
    into.limit((int) Math.min(limit, into.position() + left));
    try {
      int bytes = receiver.read(into);
      if (bytes < 0) {
        throw new EOFException(left + " bytes are missing of what was to be decoded");
      }
      left -= bytes;
      return bytes;
    } finally {
      into.limit(limit);
    }
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    return length == 0 ? 0 : read(ByteBuffer.wrap(into, offset, length));
  }

  @Override
  public long skip(long bytes) throws IOException {
    byte[] skipped = new byte[(int) Math.min(SKIP_BYTES, Math.max(0, bytes))];
    long done = 0;
    while (done < bytes) {
      int read = read(skipped, 0, (int) Math.min(skipped.length, bytes - done));
      if (read < 0) {
        break;
      }
      done += read;
    }
    return done;
  }

  @Override
  public int available() {
    return receiver.available();
  }

  @Override
  public void readFully(byte[] into, int offset, int length) throws IOException {
    if (readAll(into, offset, length) < length) {
      throw new EOFException("the block ends before");
    }
  }

  @Override
  public int readAll(byte[] into, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int read = read(into, offset + done, length - done);
      if (read < 0) {
        break;
      }
      done += read;
    }
    return done;
  }

  @Override
  public void close() {
    IOUtils.closeStream(peer);
  }

  @Override
  public boolean isShortCircuit() {
    return false;
  }

  @Override
  public ClientMmap getClientMmap(EnumSet<ReadOption> options) {
    return null;
  }

  @Override
  public DataChecksum getDataChecksum() {
    return null;
  }

  @Override
  public int getNetworkDistance() {
    return Integer.MAX_VALUE;
  }
}
