package org.rackweave.hdfs.datanode;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.hadoop.hdfs.DFSPacket;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.DataChecksum;

/** A replica being written on some DataNode, in packets with checksums; used by one thread. */
final class ReplicaWriter implements WritableByteChannel {
  private static final int PACKET_BYTES = 126 * 512;

  private final Peer peer;
  private final DataOutputStream out;
  private final DataChecksum checksum;
  private final int chunkBytes;
  private final int chunksPerPacket;
  private final ByteBuffer data;
  private final byte[] sums;
  private final byte[] packetBytes;
  private final MessageDigest digest = md5();
  private long offset;
  private long sequence;

  /**
   * @param out to the DataNode, which expects packets from here on
   */
  ReplicaWriter(Peer peer, DataOutputStream out, DataChecksum checksum) {
    this.peer = peer;
    this.out = out;
    this.checksum = checksum;
    chunkBytes = checksum.getBytesPerChecksum();
    chunksPerPacket = Math.max(1, PACKET_BYTES / chunkBytes);
    data = ByteBuffer.allocate(chunksPerPacket * chunkBytes);
    sums = new byte[chunksPerPacket * checksum.getChecksumSize()];
    packetBytes = new byte[PacketHeader.PKT_MAX_HEADER_LEN + sums.length + data.capacity()];
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has MD5", e);
    }
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    int taken = source.remaining();
    while (source.hasRemaining()) {
      int bytes = Math.min(source.remaining(), data.remaining());
      data.put(source.slice(source.position(), bytes));
      source.position(source.position() + bytes);
      if (!data.hasRemaining()) {
        sendPacket();
      }
    }
    return taken;
  }

  private void sendPacket() throws IOException {
    int bytes = data.position();
    int chunks = (bytes + chunkBytes - 1) / chunkBytes;
    int sumBytes = chunks * checksum.getChecksumSize();
    checksum.calculateChunkedSums(data.array(), 0, bytes, sums, 0);
    digest.update(sums, 0, sumBytes);
    DFSPacket packet =
        new DFSPacket(
            packetBytes, chunksPerPacket, offset, sequence++, checksum.getChecksumSize(), false);
    packet.writeChecksum(sums, 0, sumBytes);
    packet.writeData(data.flip(), bytes);
    packet.writeTo(out);
    offset += bytes;
    data.clear();
  }

  /**
   * Ends the replica and waits until the DataNode has it on disk. It answers nobody but clients, so
   * whether it has kept the replica is to be asked, see {@link ReplicaTransfers#storedDigest}.
   *
   * @return the MD5 of all checksums
   */
  byte[] finish() throws IOException {
    if (data.position() > 0) {
      sendPacket();
    }
    // The last packet, which is empty, asks for a sync: HDFS's own class does not let us.
    new PacketHeader(Integer.BYTES, offset, sequence++, true, 0, true).write(out);
    out.flush();
    InputStream in = peer.getInputStream();
    byte[] ignored = new byte[64];
    while (in.read(ignored) >= 0) {
      // The DataNode hangs up when it is done.
      continue;
    }
    return digest.digest();
  }

  @Override
  public boolean isOpen() {
    return !peer.isClosed();
  }

  /** Breaks off, unless {@link #finish} was called: the DataNode then deletes what it has. */
  @Override
  public void close() {
    IOUtils.closeStream(peer);
  }
}
