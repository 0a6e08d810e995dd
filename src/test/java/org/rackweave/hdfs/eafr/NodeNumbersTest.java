package org.rackweave.hdfs.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NodeNumbersTest {
  /** "Aa" and "BB" have one hash, so that strings made of them meet in one slot. */
  private static String colliding(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    int pairs = 1 + random.nextInt(6);
    for (int i = 0; i < pairs; i++) {
      text.append(random.nextBoolean() ? "Aa" : "BB");
    }
    return text.toString();
  }

  @Test
  void findsWhatAMapFindsAlsoWhereHashesAreEqual() {
    long seed = new SplittableRandom().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 2_000; round++) {
      String[] uuids = new String[random.nextInt(40)];
      Map<String, Integer> map = new HashMap<>();
      for (int number = 0; number < uuids.length; number++) {
        int kind = random.nextInt(10);
        uuids[number] =
            kind == 0 ? null : kind < 6 ? colliding(random) : "" + random.nextInt(1 << 20);
        if (uuids[number] != null) {
          map.put(uuids[number], number);
        }
      }
      NodeNumbers numbers = new NodeNumbers(uuids);
      for (String uuid : uuids) {
        int expected = uuid == null ? NodeNumbers.UNKNOWN : map.get(uuid);
        // Equal, but not the same: HDFS hands out copies.
        String copy = uuid == null ? null : new StringBuilder(uuid).toString();
        assertEquals(expected, numbers.of(copy), "seed " + seed + " round " + round);
      }
      for (int i = 0; i < 20; i++) {
        String other = colliding(random);
        assertEquals(
            map.getOrDefault(other, NodeNumbers.UNKNOWN),
            numbers.of(other),
            "seed " + seed + " round " + round);
      }
    }
  }
}
