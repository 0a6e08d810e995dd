package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.ArgumentMatchers.intThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ear.BlockLookup.MissingBlocks;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;

class MissingBlockScanTest {
  private static final int A_LOOK = MissingBlockScan.AT_A_TIME * MissingBlockScan.HOLDS_MAX;

  /** A NameNode that misses so many blocks for good, with ids from 0. */
  private static BlockLookup missing(int blocks) {
    List<StoredBlock> all =
        IntStream.range(0, blocks).mapToObj(MissingBlockScanTest::block).toList();
    BlockLookup lookup = mock(BlockLookup.class);
    when(lookup.missing(anyInt(), anyInt()))
        .then(
            asked -> {
              int from = Math.min(blocks, asked.<Integer>getArgument(0));
              int until = Math.min(blocks, from + asked.<Integer>getArgument(1));
              return new MissingBlocks(all.subList(from, until), until == blocks);
            });
    return lookup;
  }

  private static StoredBlock block(int id) {
    return new StoredBlock(id, 1, 1, 1, true, 1, List.of(), List.of(), List.of());
  }

  private static Set<Long> ids(List<StoredBlock> blocks) {
    Set<Long> ids = new HashSet<>();
    blocks.forEach(block -> ids.add(block.id()));
    return ids;
  }

  @Test
  void fewAreSeenEachTime() {
    MissingBlockScan walk = new MissingBlockScan(missing(1500));
    assertEquals(1500, ids(walk.next()).size());
    assertEquals(1500, ids(walk.next()).size());
    assertEquals(List.of(), new MissingBlockScan(missing(0)).next());
  }

  @Test
  void whatLiesBehindManyThatNeverComeBackIsSeenNextTime() {
    MissingBlockScan walk = new MissingBlockScan(missing(A_LOOK + 10));
    Set<Long> first = ids(walk.next());
    assertEquals(A_LOOK, first.size());
    Set<Long> second = ids(walk.next());
    assertEquals(10, second.size());
    second.retainAll(first);
    assertEquals(Set.of(), second);
    assertEquals(first, ids(walk.next()), "and again from the beginning");
  }

  @Test
  void noHoldPassesOverMoreThanItsBound() {
    BlockLookup lookup = missing(MissingBlockScan.FROM_MAX + A_LOOK);
    MissingBlockScan walk = new MissingBlockScan(lookup);
    for (int look = 0; look < MissingBlockScan.FROM_MAX / A_LOOK; look++) {
      walk.next();
    }
    assertEquals(A_LOOK, ids(walk.next()).size());
    verify(lookup, never()).missing(intThat(from -> from >= MissingBlockScan.FROM_MAX), anyInt());
    verify(lookup, times(2)).missing(eq(0), anyInt());
  }
}
