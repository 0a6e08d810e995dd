package org.rackweave.telemetry;

import java.util.Arrays;

/**
 * A position in a byte array that reads or writes varints and tagged fields the way Protocol
 * Buffers lays them out. Reading never throws: the first thing that is wrong sets {@link #fault()},
 * after which every read yields 0 and consumes nothing.
 */
final class WireCursor {

  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int LENGTH_DELIMITED = 2;
  static final int FIXED32 = 5;

  private static final int MAX_VARINT_BYTES = 10;

  private byte[] bytes = new byte[0];
  private int position;
  private int limit;
  private DropCause fault;

  /** Starts at {@code offset}; the range must lie within the array. */
  WireCursor over(byte[] buffer, int offset, int length) {
    bytes = buffer;
    position = offset;
    limit = offset + length;
    fault = null;
    return this;
  }

  /** What went wrong first, or null. */
  DropCause fault() {
    return fault;
  }

  byte[] buffer() {
    return bytes;
  }

  /** Bytes left to read in the field entered, or in the whole. */
  int remaining() {
    return fault == null ? limit - position : 0;
  }

  int position() {
    return position;
  }

  boolean hasRemaining() {
    return fault == null && position < limit;
  }

  int readByte() {
    if (fault != null || position >= limit) {
      return (int) fail(DropCause.TRUNCATED);
    }
    return bytes[position++] & 0xff;
  }

  /** Reads 1 to 10 bytes; ten bytes may give a negative number. */
  long readVarint() {
    int at = position;
    if (fault == null && at < limit && bytes[at] >= 0) {
      position = at + 1;
      return bytes[at];
    }
    return readLongVarint();
  }

  private long readLongVarint() {
    if (fault != null) {
      return 0;
    }
    final byte[] b = bytes;
    int at = position;
    int end = Math.min(limit, at + MAX_VARINT_BYTES);
    long value = 0;
    for (int shift = 0; at < end; shift += 7) {
      byte next = b[at++];
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        position = at;
        return value;
      }
    }
    return fail(end == limit ? DropCause.TRUNCATED : DropCause.MALFORMED);
  }

  /** Reads a varint that must lie within 0 to {@code max}. */
  long readVarintUpTo(long max) {
    long value = readVarint();
    if (value < 0) {
      return fail(DropCause.NEGATIVE);
    }
    return value <= max ? value : fail(DropCause.MALFORMED);
  }

  /** Reads a field number and wire type; there is no field 0. */
  int readTag() {
    long tag = readVarint();
    if (tag >>> 3 == 0 || tag >>> 32 != 0) {
      fail(DropCause.MALFORMED);
    }
    return (int) tag;
  }

  /**
   * Narrows this cursor to the length-delimited field it is about to read, all of whose bytes must
   * be present; otherwise to nothing.
   *
   * @return the limit to give back to {@link #leave}
   */
  int enter() {
    int outerLimit = limit;
    int length = readLength();
    limit = position + length;
    return outerLimit;
  }

  /** Passes over the rest of the field entered and widens the cursor again. */
  void leave(int outerLimit) {
    if (fault == null) {
      position = limit;
    }
    limit = outerLimit;
  }

  /** Reads a length-delimited field, all of whose bytes must be present; otherwise null. */
  byte[] readBytes() {
    int length = readLength();
    if (fault != null) {
      return null;
    }
    byte[] content = Arrays.copyOfRange(bytes, position, position + length);
    position += length;
    return content;
  }

  private int readLength() {
    long length = readVarint();
    if (length < 0 || length > limit - position) {
      return (int) fail(length < 0 ? DropCause.MALFORMED : DropCause.TRUNCATED);
    }
    return (int) length;
  }

  /** Passes over the value of a field this reader does not know. */
  void skip(int wireType) {
    switch (wireType) {
      case VARINT -> readVarint();
      case FIXED64 -> skipBytes(8);
      case LENGTH_DELIMITED -> skipBytes(readLength());
      case FIXED32 -> skipBytes(4);
      default -> fail(DropCause.MALFORMED);
    }
  }

  void skipBytes(int count) {
    if (fault != null || limit - position < count) {
      fail(DropCause.TRUNCATED);
      return;
    }
    position += count;
  }

  /** Keeps the first cause, null being none; returns 0 for the value that could not be read. */
  long fail(DropCause cause) {
    if (fault == null) {
      fault = cause;
    }
    return 0;
  }

  void writeByte(int value) {
    bytes[position++] = (byte) value;
  }

  void writeTag(int field, int wireType) {
    writeVarint(tag(field, wireType));
  }

  void writeVarint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[position++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[position++] = (byte) rest;
  }

  /** Writes a length-delimited field from the first bytes of an array. */
  void writeField(int field, byte[] content, int contentBytes) {
    writeTag(field, LENGTH_DELIMITED);
    writeVarint(contentBytes);
    System.arraycopy(content, 0, bytes, position, contentBytes);
    position += contentBytes;
  }

  static int tag(int field, int wireType) {
    return field << 3 | wireType;
  }

  /** Maps small negative numbers to small positive ones, so that they need few varint bytes. */
  static long zigZag(long value) {
    return value << 1 ^ value >> 63;
  }

  static long unZigZag(long value) {
    return value >>> 1 ^ -(value & 1);
  }
}
