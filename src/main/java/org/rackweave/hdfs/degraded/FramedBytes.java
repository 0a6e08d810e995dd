package org.rackweave.hdfs.degraded;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.zip.CRC32C;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;

/**
 * Bytes on their way, in frames: length (four bytes), CRC-32C (four), bytes. The first frame has
 * length 0 when the request is granted, the last again; one of length -1 says in a string why there
 * is no more, one of length -2 that the token does not do.
 */
public final class FramedBytes {
  private static final int FRAME_BYTES_MAX = 64 << 10;
  private static final int END = 0;
  private static final int FAILURE = -1;
  private static final int BAD_TOKEN = -2;
  private static final int MESSAGE_CHARS = 500;

  private FramedBytes() {}

  /** Sends; used by one thread. */
  public static final class Sender implements WritableByteChannel {
    private final DataOutputStream out;
    private final byte[] frame = new byte[FRAME_BYTES_MAX];
    private boolean isOpen = true;
    private long sentBytes;

    public Sender(DataOutputStream out) {
      this.out = out;
    }

    /** Says that bytes will follow. */
    public void grant() throws IOException {
      out.writeInt(END);
      out.flush();
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
      int taken = bytes.remaining();
      while (bytes.hasRemaining()) {
        int length = Math.min(bytes.remaining(), FRAME_BYTES_MAX);
        bytes.get(frame, 0, length);
        out.writeInt(length);
        out.writeInt(sum(frame, length));
        out.write(frame, 0, length);
        sentBytes += length;
      }
      return taken;
    }

    /** Of those that were to be sent. */
    public long sentBytes() {
      return sentBytes;
    }

    /** Says that this was all. */
    public void end() throws IOException {
      out.writeInt(END);
      out.flush();
    }

    /** Says why there is no more. */
    public void fail(Exception cause) throws IOException {
      String why = String.valueOf(cause.getMessage());
      out.writeInt(cause instanceof InvalidToken ? BAD_TOKEN : FAILURE);
      out.writeUTF(why.substring(0, Math.min(why.length(), MESSAGE_CHARS)));
      out.flush();
    }

    @Override
    public boolean isOpen() {
      return isOpen;
    }

    @Override
    public void close() {
      isOpen = false;
    }
  }

  /** Receives; used by one thread. */
  public static final class Receiver {
    private final DataInputStream in;
    private final byte[] frame = new byte[FRAME_BYTES_MAX];
    private ByteBuffer left = ByteBuffer.allocate(0);
    private boolean hasEnded;

    public Receiver(DataInputStream in) {
      this.in = in;
    }

    /**
     * Waits for the request to be granted.
     *
     * @throws InvalidBlockTokenException when another token is wanted
     * @throws IOException with the sender's words when it is not
     */
    public void awaitGrant() throws IOException {
      int granted = in.readInt();
      if (granted != END) {
        fail(granted);
      }
    }

    private void fail(int length) throws IOException {
      switch (length) {
        case FAILURE -> throw new IOException(in.readUTF());
        case BAD_TOKEN -> throw new InvalidBlockTokenException(in.readUTF());
        default -> throw new IOException("a frame of " + length + " bytes");
      }
    }

    /**
     * Reads what there is of the current frame, or of the next.
     *
     * @return -1 at the end
     * @throws IOException with the sender's words when it failed, or when bytes were damaged
     */
    public int read(ByteBuffer into) throws IOException {
      if (!into.hasRemaining()) {
        return 0;
      }
      if (!left.hasRemaining() && !next()) {
        return -1;
      }
      int bytes = Math.min(into.remaining(), left.remaining());
      into.put(left.slice(left.position(), bytes));
      left.position(left.position() + bytes);
      return bytes;
    }

    /** Bytes that can be read without waiting. */
    public int available() {
      return left.remaining();
    }

    private boolean next() throws IOException {
      int length = hasEnded ? END : in.readInt();
      if (length == END) {
        hasEnded = true;
        return false;
      }
      if (length < 0 || length > FRAME_BYTES_MAX) {
        fail(length);
      }
      int sum = in.readInt();
      int read = in.readNBytes(frame, 0, length);
      if (read < length) {
        throw new EOFException("a frame of " + length + " bytes ended after " + read);
      }
      if (sum != sum(frame, length)) {
        throw new IOException("a frame of " + length + " bytes was damaged on its way");
      }
      left = ByteBuffer.wrap(frame, 0, length);
      return true;
    }
  }

  private static int sum(byte[] bytes, int length) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, length);
    return (int) sum.getValue();
  }
}
