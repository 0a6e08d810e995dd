package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rackweave.cli.ear.EarCommand;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.SealedStripe;
import org.rackweave.ear.StripeRecord;
import org.rackweave.ear.StripeRecord.Member;
import org.rackweave.ear.StripeRules;
import org.rackweave.hdfs.ear.StripeRegistry;
import org.rackweave.hdfs.work.ParityTrailer;

/** Long and short blocks in one directory; one cluster, tests in order. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EarLengthsIT {
  private static final StripeRules RULES =
      StripeRules.of(ErasureCode.named("rs-10-4")).withRackLimit(2);
  private static final int LONG = RackCluster.BLOCK_BYTES;
  private static final int SHORT = 512;

  /** Shares of parity are rounded, a file each. */
  private static final long ROUNDED = 100;

  private static EarRig rig;

  @BeforeAll
  static void start() throws IOException {
    rig = EarRig.start(RULES);
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  private static StripeRegistry registry() {
    return rig.cluster().context().stripes();
  }

  private static Path write(String name, int bytes) throws IOException {
    Path file = new Path("/warehouse/" + name);
    DFSTestUtil.createFile(rig.fs(), file, bytes, (short) 3, name.hashCode());
    RackCluster.awaitReplicas(rig.fs(), file, 3);
    return file;
  }

  private static long onlyBlock(Path file) throws IOException {
    List<LocatedBlock> blocks = DFSTestUtil.getAllBlocks(rig.fs(), file);
    assertEquals(1, blocks.size());
    return blocks.get(0).getBlock().getBlockId();
  }

  private static boolean isSealed(long blockId) {
    return registry().waiting().stream()
        .map(SealedStripe::blockIdList)
        .anyMatch(ids -> ids.contains(blockId));
  }

  /** The long block's owner has nothing to do with the many short files. */
  @Test
  @Order(1)
  void aLongBlockIsNotEncodedWithShortOnesWhoAreWithEachOther() throws Exception {
    Path longFile = write("long", LONG);
    long longBlock = onlyBlock(longFile);
    int shortFiles = 0;
    for (; !isSealed(longBlock); shortFiles++) {
      write("short" + shortFiles, SHORT);
    }
    long before = storedBytes();

    JsonNode dry = rig.run(EarCommand::encode, "--path", "/warehouse", "--dry-run");
    // The long block alone would save nothing.
    assertEquals(2L * SHORT * shortFiles, dry.get("expected_freed_bytes").asLong(), dry::toString);
    int stripes = (shortFiles + 9) / 10;
    assertEquals(4L * SHORT * stripes, dry.get("expected_parity_bytes").asLong(), dry::toString);

    JsonNode done = rig.run(EarCommand::encode, "--path", "/warehouse");
    assertEquals(3, rig.fs().getFileStatus(longFile).getReplication(), done::toString);
    assertTrue(registry().encoded().blockCount() >= 9, done::toString);
    assertTrue(registry().encoded().of(longBlock).isEmpty());
    assertEquals(
        done.get("left_blocks").asLong(),
        done.get("left_blocks_saving_nothing").asLong(),
        done::toString);
    assertSaved(done, before);
  }

  @Test
  @Order(2)
  void longBlocksAreEncodedWithEachOtherAndTheSavingThatIsToldIsThatOfTheDisks() throws Exception {
    for (int i = 0; i < 40; i++) {
      write("another" + i, LONG - i);
    }
    long before = storedBytes();
    JsonNode done = rig.run(EarCommand::encode, "--path", "/warehouse");
    assertTrue(done.get("saved_bytes").asLong() > 20 * LONG, done::toString);
    assertSaved(done, before);
    for (StripeRecord record : records()) {
      long data = record.members().stream().mapToLong(Member::lengthBytes).sum();
      assertTrue(2 * data >= record.members().size() * record.parityBytes(), record::toString);
    }
    JsonNode audit = rig.run(EarCommand::stripes, "--audit");
    assertEquals(
        done.get("stored_bytes_after").asLong(), storedBytes(), ROUNDED, () -> "parity's shares");
    assertTrue(audit.get("saved_bytes").asLong() >= done.get("saved_bytes").asLong());
  }

  /** What the command says it has saved is gone from the disks. */
  private static void assertSaved(JsonNode done, long before) {
    long saved = done.get("saved_bytes").asLong();
    assertTrue(saved > 0, done::toString);
    RackCluster.await(
        "disks have " + saved + " bytes less than " + before,
        () -> Math.abs(before - saved - storedBytes()) < ROUNDED,
        () -> storedBytes() + " after " + done);
  }

  /**
   * On all disks, but for the checksums behind each parity block, which are much only where blocks
   * are as short as here, and which no report counts.
   */
  private static long storedBytes() {
    try {
      long checksums = 0;
      for (StripeRecord record : records()) {
        List<Long> lengths = record.members().stream().map(Member::lengthBytes).toList();
        checksums += (long) record.code().parityBlocks() * new ParityTrailer(lengths).bytes();
      }
      return rig.storedBytes() - checksums;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<StripeRecord> records() throws IOException {
    Set<StripeRecord> records = new HashSet<>();
    for (var status : rig.fs().listStatus(new Path("/warehouse"))) {
      registry()
          .encoded()
          .of(onlyBlock(status.getPath()))
          .ifPresent(one -> records.add(one.record()));
    }
    return records;
  }
}
