package org.rackweave.sim.reading;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class ReplicaMapTest {
  private final ReplicaMap map = new ReplicaMap(new long[] {60, 50}, new long[] {100, 100});

  @Test
  void aReplicaOnItsWayTakesRoomAndCannotBeRead() {
    map.reserve(0, 1);
    assertEquals(40, map.freeBytes(1));
    assertEquals(0, map.holders(0).length);
    assertEquals(0, map.readableBytes());
    assertNull(map.fault(new long[] {0, 60}));
    assertNotNull(map.fault(new long[2]), "bytes that nobody accounts for");
    map.add(0, 1);
    assertArrayEquals(new int[] {1}, map.holders(0));
    assertEquals(60, map.readableBytes());
    map.remove(0, 1);
    assertEquals(100, map.freeBytes(1));
    assertNull(map.fault(new long[2]));
  }

  @Test
  void refusesWhatDoesNotFitAndWhatIsThere() {
    map.store(0, 0);
    assertThrows(IllegalStateException.class, () -> map.store(1, 0));
    assertThrows(IllegalStateException.class, () -> map.reserve(0, 0));
    assertThrows(IllegalStateException.class, () -> map.add(1, 1));
    assertThrows(IllegalStateException.class, () -> map.remove(1, 0));
  }
}
