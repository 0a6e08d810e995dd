package org.rackweave.hdfs.eafr;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.hadoop.thirdparty.protobuf.ByteOutput;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.UnsafeByteOperations;

/**
 * A number for a DataNode that stays its as long as it lives, on every NameNode: a hash of its
 * UUID. In a cluster of 25,000 two may share one, and matter only where both have replicas of one
 * block: each then counts as having served the reads of both.
 *
 * <p>HDFS makes the bytes of a UUID anew for every answer, so that nothing of them is known
 * already. They are read where they lie, eight at a time: a UUID has 36, and one after the other
 * they took most of what it costs to note a read.
 */
final class ServerKey {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Odd, and with bits set at random: of the golden ratio. */
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  private ServerKey() {}

  /** From what a call's answer says. */
  static int of(ByteString uuid) {
    Whole whole = new Whole(uuid.size());
    try {
      UnsafeByteOperations.unsafeWriteTo(uuid, whole);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (whole.isSeen) {
      return whole.key;
    }
    return of(uuid.toByteArray(), 0, uuid.size());
  }

  static int of(String uuid) {
    return of(ByteString.copyFromUtf8(uuid));
  }

  /** The last word overlaps the one before, where the length is no multiple of eight. */
  private static int of(byte[] uuid, int from, int length) {
    long hash = length;
    int to = from + length;
    if (length < Long.BYTES) {
      for (int i = from; i < to; i++) {
        hash = mixed(hash, uuid[i]);
      }
    } else {
      for (int i = from; i < to - Long.BYTES; i += Long.BYTES) {
        hash = mixed(hash, (long) WORDS.get(uuid, i));
      }
      hash = mixed(hash, (long) WORDS.get(uuid, to - Long.BYTES));
    }
    return (int) (hash * SPREAD >>> Integer.SIZE);
  }

  /** A product's lower bits know nothing of its factors' upper ones, so they are told. */
  private static long mixed(long hash, long word) {
    long product = (hash ^ word) * SPREAD;
    return product ^ product >>> Integer.SIZE;
  }

  /** Sees the bytes where they lie, if they lie in one array, and changes none. */
  private static final class Whole extends ByteOutput {
    private final int size;
    private boolean isSeen;
    private int key;

    Whole(int size) {
      this.size = size;
    }

    private void see(byte[] bytes, int from, int length) {
      if (length == size) {
        isSeen = true;
        key = of(bytes, from, length);
      }
    }

    @Override
    public void write(byte[] value, int offset, int length) {
      see(value, offset, length);
    }

    @Override
    public void writeLazy(byte[] value, int offset, int length) {
      see(value, offset, length);
    }

    @Override
    public void write(byte value) {}

    @Override
    public void write(ByteBuffer value) {}

    @Override
    public void writeLazy(ByteBuffer value) {}
  }
}
