package org.rackweave.hdfs.namenode;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.rackweave.history.Event;
import org.rackweave.history.RecordedFrame;
import org.rackweave.history.RecordedWrite;

/**
 * A file of a {@link BlackBox}: eight bytes that say what it is, then records. A record is a length
 * of four bytes, a CRC-32C of four bytes, both big-endian, and so many bytes: its type, and
 * deflated JSON.
 */
public final class BoxSegment {
  static final byte[] MAGIC = "RWBOX1\r\n".getBytes(StandardCharsets.US_ASCII);

  /** That of 100,000 DataNodes is shorter. */
  private static final int RECORD_BYTES_MAX = 8 << 20;

  private static final int HEAD_BYTES = 2 * Integer.BYTES;

  /** By number; a number stays what it is. */
  private static final List<Class<?>> TYPES =
      List.of(Event.class, RecordedFrame.class, RecordedWrite.class);

  private static final ObjectMapper JSON =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private BoxSegment() {}

  /** A record's bytes. */
  static byte[] record(Object value) throws IOException {
    ByteArrayOutputStream collected = new ByteArrayOutputStream();
    collected.write(TYPES.indexOf(value.getClass()));
    try (OutputStream deflated = new DeflaterOutputStream(collected)) {
      JSON.writeValue(deflated, value);
    }
    byte[] body = collected.toByteArray();
    return ByteBuffer.allocate(HEAD_BYTES + body.length)
        .putInt(body.length)
        .putInt(checksum(body))
        .put(body)
        .array();
  }

  private static int checksum(byte[] body) {
    CRC32C crc = new CRC32C();
    crc.update(body);
    return (int) crc.getValue();
  }

  /**
   * Reads a segment, as far as it is whole. What a later version has added is skipped. No more is
   * allocated for a damaged length than there are bytes.
   *
   * @param taker gets each {@link Event}, {@link RecordedFrame} and {@link RecordedWrite}
   * @throws IOException when the stream cannot be read; not for what is in it
   */
  public static void read(InputStream segment, Consumer<Object> taker) throws IOException {
    boolean isWhole = Arrays.equals(segment.readNBytes(MAGIC.length), MAGIC);
    while (isWhole) {
      byte[] head = segment.readNBytes(HEAD_BYTES);
      int length = head.length < HEAD_BYTES ? 0 : ByteBuffer.wrap(head).getInt();
      if (length < 1 || length > RECORD_BYTES_MAX) {
        return;
      }
      byte[] body = segment.readNBytes(length); // grows with what there is
      isWhole =
          body.length == length && checksum(body) == ByteBuffer.wrap(head).getInt(Integer.BYTES);
      Object value = isWhole ? value(body) : null;
      if (value != null) {
        taker.accept(value);
      }
    }
  }

  /** What a record holds, {@code null} when it is not of this version. */
  private static Object value(byte[] body) {
    if (body[0] < 0 || body[0] >= TYPES.size()) {
      return null;
    }
    try (InputStream json =
        new InflaterInputStream(new ByteArrayInputStream(body, 1, body.length - 1))) {
      return JSON.readValue(json, TYPES.get(body[0]));
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }
}
