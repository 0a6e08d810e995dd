package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.mockito.Captor;
import org.mockito.MockitoAnnotations;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.hdfs.ear.FileShrinking.Outcome;

/** Which replicas stay when a file gives up the others: rs-4-3 over racks of two DataNodes. */
class KeptReplicasTest {
  private static final ErasureCode CODE = new ErasureCode(4, 3);
  private static final long PARITY_FILE = 900;
  private static final long FILE = 100;
  private static final long BYTES = 1 << 20;

  private final ClusterView nodes = StripeRepairTest.nodes();
  private final EncodedStripes encoded = new EncodedStripes();
  private final BlockLookup lookup = mock(BlockLookup.class);
  private final Map<Long, StoredBlock> blocks = new HashMap<>();
  private FileShrinking shrinking;

  @Captor private ArgumentCaptor<Map<Long, DatanodeDescriptor>> keepers;

  @BeforeEach
  void encode() throws IOException {
    MockitoAnnotations.openMocks(this);
    List<StripeRecord.Member> members = new ArrayList<>();
    List<Long> data = new ArrayList<>();
    List<Long> parity = new ArrayList<>();
    for (long id = 0; id < CODE.blocks(); id++) {
      if (id < CODE.dataBlocks()) {
        members.add(new StripeRecord.Member(id, 1, BYTES, FILE, 2));
        data.add(id);
        put(id, FILE, first(id), second(id));
      } else {
        parity.add(id);
        put(id, PARITY_FILE, first(id));
      }
    }
    encoded.add(PARITY_FILE, new StripeRecord(CODE, 1, members));
    when(lookup.blocks(anyList()))
        .then(asked -> asked.<List<Long>>getArgument(0).stream().map(blocks::get).toList());
    when(lookup.file(anyLong()))
        .then(
            asked ->
                asked.<Long>getArgument(0) == FILE
                    ? file(FILE, "/file", 2, data)
                    : file(PARITY_FILE, "/parity", 1, parity));
    when(lookup.shrink(any(), any())).thenReturn(true);
    Configuration conf = new Configuration(false);
    conf.set(ConfiguredRules.CODES, "/=" + CODE.name());
    conf.set(ConfigKeys.PAPER, "ear.rack-limit=1");
    WithheldReplicas withheld =
        new WithheldReplicas(() -> true, block -> false, lookup, id -> {}, id -> {});
    shrinking =
        new FileShrinking(
            new EncodedView(
                () -> EarConfig.from(conf), lookup, encoded, withheld, () -> true, () -> nodes));
  }

  /** In a rack of the block's own. */
  private DatanodeDescriptor first(long block) {
    return nodes.datanodes()[2 * (int) block];
  }

  private DatanodeDescriptor second(long block) {
    return nodes.datanodes()[2 * (int) block + 1];
  }

  private void put(long id, long file, DatanodeDescriptor... holders) {
    blocks.put(
        id, new StoredBlock(id, 1, BYTES, file, true, 1, List.of(holders), List.of(), List.of()));
  }

  private static StoredFile file(long id, String path, int replication, List<Long> blocks) {
    return new StoredFile(
        id, path, replication, 1, "", false, BYTES, 0, 0, 0, ReplicaMark.NONE, false, blocks);
  }

  @Test
  void noneIsKeptOnASilentDataNodeWhereAnotherHasTheBlock() throws IOException {
    for (long id = 0; id < CODE.dataBlocks(); id++) {
      StripeRepairTest.silence(id % 2 == 0 ? first(id) : second(id));
    }
    assertEquals(Outcome.SHRUNK, shrinking.shrink(FILE));
    verify(lookup).shrink(any(), keepers.capture());
    for (long id = 0; id < CODE.dataBlocks(); id++) {
      assertEquals(id % 2 == 0 ? second(id) : first(id), keepers.getValue().get(id));
    }
  }

  @Test
  void allStayWhileAnyBlockOfTheStripeIsOnSilentDataNodesOnly() throws IOException {
    for (long id = 0; id < CODE.blocks(); id++) {
      assertFalse(nodes.isSilent(nodes.numbers().get(first(id))));
      long heardMs = first(id).getLastUpdateMonotonic();
      StripeRepairTest.silence(first(id));
      StripeRepairTest.silence(second(id));
      assertEquals(Outcome.NOT_NOW, shrinking.shrink(FILE), "block " + id);
      first(id).setLastUpdateMonotonic(heardMs);
      second(id).setLastUpdateMonotonic(heardMs);
    }
    verify(lookup, never()).shrink(any(), any());
  }
}
