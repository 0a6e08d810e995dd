package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ear.FileShrinking.Outcome;

class ShrinkQueueTest {
  private static final long ROUND_MS = 60_000;

  private final FileShrinking shrinking = mock(FileShrinking.class);
  private final ShrinkQueue queue = new ShrinkQueue(shrinking, new EncodingCounts());

  private boolean isHalted;

  private void tick(int times) {
    for (int i = 1; i <= times; i++) {
      queue.shrink(file -> true, () -> isHalted, i * ROUND_MS);
    }
  }

  @Test
  void filesThatSnapshotsHoldKeepNoOtherOut() throws IOException {
    when(shrinking.shrink(anyLong())).thenReturn(Outcome.HELD_BY_SNAPSHOT);
    when(shrinking.heldBy(anyLong())).thenReturn("daily");
    for (long file = 0; file < ShrinkQueue.FILES_MAX; file++) {
      queue.add(file);
    }
    tick(ShrinkQueue.FILES_MAX / ShrinkQueue.TRIED_MAX);
    assertEquals(0, queue.size());

    queue.add(ShrinkQueue.FILES_MAX);
    when(shrinking.shrink(ShrinkQueue.FILES_MAX)).thenReturn(Outcome.SHRUNK);
    tick(1);
    verify(shrinking).shrink(ShrinkQueue.FILES_MAX);
  }

  @Test
  void noFileGivesUpReplicasWhileThatIsHaltedAndAllAreTriedAfterwards() throws IOException {
    when(shrinking.shrink(1)).thenReturn(Outcome.HELD_BY_SNAPSHOT);
    when(shrinking.heldBy(1)).thenReturn("daily");
    queue.add(1);
    tick(1);
    when(shrinking.shrink(anyLong())).thenReturn(Outcome.SHRUNK);
    queue.add(2);
    isHalted = true;
    tick(3);
    verify(shrinking).shrink(1);
    verify(shrinking, never()).shrink(2);

    isHalted = false;
    tick(4);
    verify(shrinking, times(2)).shrink(1);
    verify(shrinking).shrink(2);
  }

  @Test
  void aFileThatHdfsRefusesToChangeHoldsUpNoOther() throws IOException {
    queue.add(1);
    queue.add(2);
    when(shrinking.shrink(1)).thenThrow(new IOException("no"), new AssertionError("no"));
    when(shrinking.shrink(2)).thenReturn(Outcome.NOT_NOW);
    tick(2);
    verify(shrinking, times(2)).shrink(1);
    verify(shrinking, times(2)).shrink(2);
    assertEquals(2, queue.size());
  }

  @Test
  void aFileThatCannotBeShrunkNowIsTriedAgainAfterTheOthers() throws IOException {
    when(shrinking.shrink(anyLong())).thenReturn(Outcome.NOT_NOW);
    for (long file = 0; file < 2 * ShrinkQueue.TRIED_MAX; file++) {
      queue.add(file);
    }
    tick(2);
    verify(shrinking, times(2 * ShrinkQueue.TRIED_MAX)).shrink(anyLong());
    verify(shrinking).shrink(0);
    verify(shrinking).shrink(2 * ShrinkQueue.TRIED_MAX - 1);
    tick(1);
    verify(shrinking, times(2)).shrink(0);
  }
}
