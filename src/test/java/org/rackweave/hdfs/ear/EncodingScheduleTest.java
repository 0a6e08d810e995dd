package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.SealReason;
import org.rackweave.ear.SealedStripe;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.RemovedKeys;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.hdfs.ear.EncodingSchedule.Turn;

/** What becomes of a sealed stripe of four files, of one block each, when its turn comes. */
class EncodingScheduleTest {
  private static final long NOW_MS = 1_000_000_000;
  private static final int BLOCKS = 4;
  private static final EncodingService.EncodingRequest WISH =
      new EncodingService.EncodingRequest("/", 0, Collections.emptySet());

  private final Map<Long, StoredFile> files = new HashMap<>();
  private EncodingSchedule turn;

  @BeforeEach
  void fourFilesThatAreToBeEncoded() {
    Configuration conf = new Configuration(false);
    conf.set(
        ConfiguredRules.CODES, "/=rs-3-2, /warehouse=rs-4-2, /warehouse/.Trash=none, /trash=none");
    conf.set(RemovedKeys.EAR_ENCODE_AGE, "0s");
    BlockLookup lookup = mock(BlockLookup.class);
    when(lookup.file(anyLong())).then(asked -> files.get(asked.<Long>getArgument(0)));
    when(lookup.blocks(anyList()))
        .then(asked -> asked.<List<Long>>getArgument(0).stream().map(this::block).toList());
    for (long id = 0; id < BLOCKS; id++) {
      put(id, "/warehouse/file" + id);
    }
    turn = new EncodingSchedule(lookup, () -> EarConfig.from(conf));
  }

  private StoredBlock block(long id) {
    return new StoredBlock(id, 1001, 1 << 20, id, true, 1, List.of(), List.of(), List.of());
  }

  private void put(long id, String path) {
    put(id, path, ReplicaMark.NONE, false);
  }

  private void put(long id, String path, ReplicaMark mark, boolean isLazyPersist) {
    files.put(
        id,
        new StoredFile(
            id, path, 3, 1, "", false, 1 << 20, 1 << 20, 1, 1, mark, isLazyPersist, List.of(id)));
  }

  private EncodingSchedule.Answer answer(EncodingService.EncodingRequest request) {
    SealedStripe stripe =
        new SealedStripe(
            1,
            new ErasureCode(4, 2),
            "/r0",
            List.of(),
            LongStream.range(0, BLOCKS).toArray(),
            List.of(),
            SealReason.FULL,
            0,
            0);
    return turn.of(stripe, request, true, NOW_MS);
  }

  private void assertTakenApartWithoutTheFirst(EncodingService.EncodingRequest request) {
    EncodingSchedule.Answer answer = answer(request);
    assertEquals(Turn.TAKE_APART, answer.turn());
    assertEquals(
        List.of(1L, 2L, 3L), answer.blocks().stream().map(one -> one.block().id()).toList());
  }

  @Test
  void whatKeepsItsReplicasIsNotEncoded() {
    put(0, "/warehouse/file0", ReplicaMark.KEEP, false);
    assertTakenApartWithoutTheFirst(null);
    put(0, "/warehouse/file0", ReplicaMark.NONE, true);
    assertTakenApartWithoutTheFirst(WISH);
  }

  @Test
  void comesAtOnceWhereNothingHasChanged() {
    assertEquals(Turn.NOW, answer(null).turn());
    assertEquals(Turn.NOW, answer(WISH).turn());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/trash/file",
        "/warehouse/.Trash/Current/file",
        "/elsewhere/by/another/code",
        StoredFile.NO_PATH
      })
  void whatHasLeftItsRuleIsNotEncodedEvenForAnOperator(String path) {
    put(0, path);
    assertTakenApartWithoutTheFirst(null);
    assertTakenApartWithoutTheFirst(WISH);
  }
}
