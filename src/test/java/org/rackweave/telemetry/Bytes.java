package org.rackweave.telemetry;

import java.io.ByteArrayOutputStream;

/** Collects bytes of hand-made payloads. */
final class Bytes {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  Bytes add(int... bytes) {
    for (int b : bytes) {
      out.write(b);
    }
    return this;
  }

  Bytes add(byte[] bytes) {
    out.writeBytes(bytes);
    return this;
  }

  Bytes tag(int field, int wireType) {
    return varint(WireCursor.tag(field, wireType));
  }

  Bytes varint(long value) {
    byte[] buffer = new byte[10];
    WireCursor cursor = new WireCursor().over(buffer, 0, buffer.length);
    cursor.writeVarint(value);
    out.write(buffer, 0, cursor.position());
    return this;
  }

  byte[] toArray() {
    return out.toByteArray();
  }
}
