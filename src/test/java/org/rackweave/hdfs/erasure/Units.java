package org.rackweave.hdfs.erasure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Buffers of one test: random places inside larger ones, all direct or none. */
record Units(SplittableRandom random, boolean direct, int lengthBytes) {

  ByteBuffer[] several(int count) {
    ByteBuffer[] units = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      units[i] = one();
    }
    return units;
  }

  private ByteBuffer one() {
    int before = random.nextInt(3) == 0 ? random.nextInt(70) : 0;
    int capacity = before + lengthBytes + (random.nextInt(3) == 0 ? random.nextInt(70) : 0);
    byte[] bytes = new byte[capacity];
    random.nextBytes(bytes);
    ByteBuffer buffer =
        direct ? ByteBuffer.allocateDirect(capacity + 5) : ByteBuffer.allocate(capacity + 5);
    return buffer
        .position(random.nextInt(6))
        .slice()
        .put(0, bytes, 0, Math.min(capacity, buffer.remaining()))
        .position(before)
        .limit(before + lengthBytes);
  }

  /** Copies with the same positions and limits, of the bytes around them too. */
  static ByteBuffer[] copies(ByteBuffer[] units) {
    ByteBuffer[] copies = new ByteBuffer[units.length];
    for (int i = 0; i < units.length; i++) {
      copies[i] = units[i] == null ? null : copy(units[i]);
    }
    return copies;
  }

  private static ByteBuffer copy(ByteBuffer unit) {
    ByteBuffer all = unit.duplicate().clear();
    ByteBuffer copy =
        unit.isDirect()
            ? ByteBuffer.allocateDirect(all.capacity())
            : ByteBuffer.allocate(all.capacity());
    return copy.put(all).position(unit.position()).limit(unit.limit());
  }

  /** Same positions, limits and bytes, also outside of these. */
  static void assertSame(ByteBuffer[] expected, ByteBuffer[] actual, String what) {
    for (int i = 0; i < expected.length; i++) {
      if (expected[i] == null) {
        continue;
      }
      String unit = what + ", unit " + i;
      assertEquals(expected[i].position(), actual[i].position(), unit);
      assertEquals(expected[i].limit(), actual[i].limit(), unit);
      assertEquals(expected[i].duplicate().clear(), actual[i].duplicate().clear(), unit);
    }
  }
}
