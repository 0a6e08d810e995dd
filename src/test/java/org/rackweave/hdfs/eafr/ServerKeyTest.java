package org.rackweave.hdfs.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.IntFunction;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.UnsafeByteOperations;
import org.junit.jupiter.api.Test;

class ServerKeyTest {
  private static final int SERVERS = 25_000;

  /** Of 25,000 numbers of 32 bits drawn at random 0.07 are equal to another on average. */
  private static void assertFewCollisions(IntFunction<String> uuids) {
    Set<Integer> keys = new HashSet<>();
    for (int server = 0; server < SERVERS; server++) {
      keys.add(ServerKey.of(uuids.apply(server)));
    }
    assertTrue(SERVERS - keys.size() <= 3, SERVERS - keys.size() + " share a key");
  }

  @Test
  void nearlyAllServersHaveAKeyOfTheirOwn() {
    SplittableRandom random = new SplittableRandom(2017);
    assertFewCollisions(server -> new UUID(random.nextLong(), random.nextLong()).toString());
    assertFewCollisions(server -> "dn-" + server);
    assertFewCollisions(server -> "DS-1034-10.0." + server / 250 + "." + server % 250 + "-9866");
  }

  /** Where words' upper or lower ends differ, one's difference must not make up for another's. */
  @Test
  void digitsApartFromEachOtherMakeKeysOfTheirOwn() {
    for (int first = 0; first < 36; first += 3) {
      for (int second = first + 3; second < 36; second += 3) {
        int low = first;
        int high = second;
        assertFewCollisions(
            server -> {
              StringBuilder uuid = new StringBuilder("0".repeat(38));
              uuid.replace(low, low + 2, HexFormat.of().toHexDigits((byte) (server >> 8)));
              uuid.replace(high, high + 2, HexFormat.of().toHexDigits((byte) server));
              return uuid.toString();
            });
      }
    }
  }

  @Test
  void isTheSameAsByteForByte() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      byte[] uuid = new byte[random.nextInt(60)];
      random.nextBytes(uuid);
      byte[] wider = new byte[uuid.length + 5];
      System.arraycopy(uuid, 0, wider, 3, uuid.length);
      int expected = byteForByte(uuid);
      String told = "seed " + seed + ", case " + i;
      assertEquals(expected, ServerKey.of(ByteString.copyFrom(uuid)), told);
      assertEquals(
          expected,
          ServerKey.of(UnsafeByteOperations.unsafeWrap(wider).substring(3, 3 + uuid.length)),
          told);
      assertEquals(
          expected,
          ServerKey.of(UnsafeByteOperations.unsafeWrap(ByteBuffer.wrap(uuid).asReadOnlyBuffer())),
          told);
      assertEquals(expected, ServerKey.of(inPieces(uuid, random)), told);
    }
  }

  /** The clear version of {@link ServerKey}. */
  private static int byteForByte(byte[] uuid) {
    long hash = uuid.length;
    if (uuid.length < 8) {
      for (byte each : uuid) {
        hash = mixed(hash, each);
      }
    } else {
      for (int from = 0; from + 8 < uuid.length; from += 8) {
        hash = mixed(hash, word(uuid, from));
      }
      hash = mixed(hash, word(uuid, uuid.length - 8));
    }
    return (int) (hash * 0x9e3779b97f4a7c15L >>> 32);
  }

  private static long mixed(long hash, long word) {
    long product = (hash ^ word) * 0x9e3779b97f4a7c15L;
    return product ^ product >>> 32;
  }

  private static long word(byte[] bytes, int from) {
    long word = 0;
    for (int i = 7; i >= 0; i--) {
      word = word << 8 | bytes[from + i] & 0xff;
    }
    return word;
  }

  /** Long enough to be kept as two. */
  private static ByteString inPieces(byte[] uuid, SplittableRandom random) {
    int cut = uuid.length == 0 ? 0 : random.nextInt(uuid.length);
    ByteString filler = ByteString.copyFrom(new byte[200]);
    ByteString front = filler.concat(ByteString.copyFrom(uuid, 0, cut));
    ByteString back = ByteString.copyFrom(uuid, cut, uuid.length - cut).concat(filler);
    return front.concat(back).substring(200, 200 + uuid.length);
  }

  @Test
  void isTheSameFromAnAnswerAndFromAReport() {
    for (String uuid : new String[] {"", "a", "abc", "abcd", "abcde", "ümlaut", "x-1-y"}) {
      assertEquals(ServerKey.of(uuid), ServerKey.of(ByteString.copyFromUtf8(uuid)));
      assertEquals(
          ServerKey.of(uuid),
          ServerKey.of(
              ByteString.copyFromUtf8(uuid + "z")
                  .substring(0, ByteString.copyFromUtf8(uuid).size())),
          uuid);
    }
  }
}
