package org.rackweave.cli.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClaimTest {

  @TempDir Path directory;
  private Path base;

  @BeforeEach
  void nobodyHasBeenHere() {
    base = directory.resolve("testbeds");
  }

  private Claim take(String prefix) throws IOException {
    return Claim.take(base, prefix, Set.of());
  }

  @Test
  void twoNamesGetTwoPlaces() throws IOException {
    Claim first = take("a");
    Claim second = take("b");
    assertEquals(new AddressBlock(0), first.addresses());
    assertEquals(new AddressBlock(1), second.addresses());
    assertFalse(first.directory().equals(second.directory()));
    assertEquals(List.of("a", "b"), Claim.prefixes(base));
  }

  @Test
  void aNameIsTakenOnce() throws IOException {
    take("a");
    IOException refused = assertThrows(IOException.class, () -> take("a"));
    assertTrue(refused.getMessage().contains("down --prefix a"), refused.getMessage());
    assertEquals(new AddressBlock(1), take("b").addresses());
  }

  @Test
  void addressesOfSomebodyElseArePassedOver() throws IOException {
    Claim claim = Claim.take(base, "a", Set.of(new AddressBlock(0).controlOutside()));
    assertEquals(new AddressBlock(1), claim.addresses());
  }

  @Test
  void theLastOneLeavesNothing() throws IOException {
    Claim first = take("a");
    Claim second = take("b");
    Files.createDirectories(first.directory().conf("nn"));
    Files.writeString(first.directory().hosts(), "x");
    first.release();
    assertEquals(List.of("b"), Claim.prefixes(base));
    assertEquals(new AddressBlock(0), take("c").addresses());
    Claim.release(base, "c");
    second.release();
    assertFalse(Files.exists(base));
    Claim.release(base, "never-there");
  }

  @Test
  void allBlocksTakenIsSaidAndTakesNoName() throws IOException {
    for (int i = 0; i < AddressBlock.COUNT; i++) {
      take("a" + i);
    }
    IOException refused = assertThrows(IOException.class, () -> take("b"));
    assertTrue(refused.getMessage().contains("16 blocks"), refused.getMessage());
    assertFalse(Claim.prefixes(base).contains("b"));
  }

  @Test
  void manyAtTheSameMomentGetDifferentAddresses() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(AddressBlock.COUNT);
    List<Future<Claim>> claims = new ArrayList<>();
    for (int i = 0; i < AddressBlock.COUNT; i++) {
      String prefix = "a" + i;
      claims.add(threads.submit(() -> take(prefix)));
    }
    Set<AddressBlock> blocks = new HashSet<>();
    for (Future<Claim> claim : claims) {
      blocks.add(claim.get().addresses());
    }
    threads.shutdown();
    assertEquals(AddressBlock.COUNT, blocks.size());
  }
}
