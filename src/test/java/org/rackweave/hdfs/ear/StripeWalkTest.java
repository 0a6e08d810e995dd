package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;

/** A stripe of rs-3-2, whose blocks 0 to 4 are on DataNodes of these numbers. */
class StripeWalkTest {
  private static final ErasureCode CODE = new ErasureCode(3, 2);
  private static final int BLOCKS = 5;
  private static final long BYTES = 1 << 20;
  private static final long PARITY_FILE = 9_000;

  private final ClusterView nodes = StripeRepairTest.nodes();
  private final BlockLookup lookup = mock(BlockLookup.class);
  private final EncodedStripes encoded = new EncodedStripes();
  private final Map<Long, StoredBlock> blocks = new HashMap<>();
  private final Map<Long, StoredFile> files = new HashMap<>();
  private final List<StripeRecord> records = new ArrayList<>();
  private final StripeWalk walk = new StripeWalk(encoded, lookup, mock(WithheldReplicas.class));

  @BeforeEach
  void answer() {
    when(lookup.blocks(anyList()))
        .then(
            asked -> {
              List<StoredBlock> found = new ArrayList<>();
              asked.<List<Long>>getArgument(0).forEach(id -> found.add(blocks.get(id)));
              return found;
            });
    when(lookup.file(anyLong())).then(asked -> files.get(asked.<Long>getArgument(0)));
  }

  private void load() throws Exception {
    encoded.load(mock(ParityFiles.class));
  }

  private void addStripe(int number) {
    List<StripeRecord.Member> members = new ArrayList<>();
    List<Long> parity = new ArrayList<>();
    for (int block = 0; block < BLOCKS; block++) {
      long id = 100L * number + block;
      store(id, List.of(nodes.datanodes()[block]), List.of());
      if (block < CODE.dataBlocks()) {
        members.add(new StripeRecord.Member(id, 1, BYTES, id, 3));
      } else {
        parity.add(id);
      }
    }
    long file = PARITY_FILE + number;
    files.put(
        file,
        new StoredFile(
            file, "/p", 1, 1, "", false, BYTES, 0, 0, 0, ReplicaMark.NONE, false, parity));
    records.add(new StripeRecord(CODE, 1, members));
    encoded.add(file, records.get(records.size() - 1));
  }

  private void store(long id, List<DatanodeDescriptor> stay, List<DatanodeDescriptor> leave) {
    blocks.put(id, new StoredBlock(id, 1, BYTES, id, true, 1, stay, leave, List.of()));
  }

  private List<StripeWalk.Seen> seen(int most) {
    List<StripeWalk.Seen> seen = new ArrayList<>();
    walk.forEach(nodes, walk.every(most), seen::add);
    return seen;
  }

  private void assertSeen(int spare, int... holders) {
    StripeWalk.Seen seen = seen(10).get(0);
    assertEquals(spare, seen.spare());
    assertArrayEquals(holders, Stream.of(seen.pieces()).mapToInt(piece -> piece[0]).toArray());
  }

  @Test
  void tellsWhatAStripeCanSpare() throws Exception {
    load();
    addStripe(0);
    assertSeen(2, 0, 1, 2, 3, 4);
    store(1, List.of(), List.of());
    assertSeen(1, 0, 2, 3, 4);
    store(2, List.of(), List.of(nodes.datanodes()[7]));
    assertSeen(1, 0, 7, 3, 4); // it can be read until its DataNode has left
    StripeRepairTest.silence(nodes.datanodes()[7]);
    assertSeen(0, 0, 3, 4);
    blocks.remove(4L);
    assertSeen(-1, 0, 3);
    assertTrue(walk.isMember(0));
  }

  @Test
  void membersThatStayAreSingleReplicasWhereParityDoesNotMakeUpForThoseThatLeft() throws Exception {
    load();
    addStripe(0);
    encoded.leave(records.get(0), Set.of(1L));
    assertSeen(1, 0, 2, 3, 4);
    files.clear(); // of the parity
    assertSeen(0, 0, 2);
  }

  @Test
  void looksAtEvenlySpacedOnesOfMany() throws Exception {
    load();
    for (int number = 0; number < 7; number++) {
      addStripe(number);
    }
    assertEquals(7, seen(7).size());
    assertEquals(3, walk.every(3));
    assertEquals(3, seen(3).size());
  }

  @Test
  void saysThatStripesAreNotKnownYet() {
    assertThrows(IllegalStateException.class, () -> seen(1));
  }
}
