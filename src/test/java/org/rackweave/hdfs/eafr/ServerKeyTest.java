package org.rackweave.hdfs.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.IntFunction;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
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
