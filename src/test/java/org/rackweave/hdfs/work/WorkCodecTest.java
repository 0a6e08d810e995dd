package org.rackweave.hdfs.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;

class WorkCodecTest {
  private static final long SEED = 5;

  static LocatedBlock block(long id, int node) {
    DatanodeInfo datanode =
        new DatanodeInfoBuilder()
            .setDatanodeUuid("uuid-" + node)
            .setIpAddr("10.0.0." + node)
            .setHostName("host" + node)
            .setXferPort(9866)
            .setInfoPort(9864)
            .setIpcPort(9867)
            .setNetworkLocation("/rack")
            .build();
    return new LocatedBlock(
        new ExtendedBlock("pool", id, 100 + id, 1001),
        new DatanodeInfo[] {datanode},
        new String[] {"storage-" + node},
        new StorageType[] {StorageType.SSD});
  }

  static EncodeTask task(ErasureCode code) {
    List<LocatedBlock> data = new ArrayList<>();
    for (int i = 0; i < code.dataBlocks(); i++) {
      data.add(block(i + 1, i % 250));
    }
    List<LocatedBlock> parity = new ArrayList<>();
    for (int i = 0; i < code.parityBlocks(); i++) {
      parity.add(block(1000 + i, 250 - i));
    }
    return new EncodeTask(code, data, parity, 50_000_000);
  }

  @Test
  void ordersComeBackAsTheyWent() throws IOException {
    WorkReply reply =
        new WorkReply(
            List.of(new WorkOrder(7, task(new ErasureCode(6, 3)))), List.of(3L, Long.MAX_VALUE));
    WorkReply read = WorkCodec.reply(WorkCodec.encode(reply));
    assertEquals(List.of(3L, Long.MAX_VALUE), read.wanted());
    assertEquals(7, read.orders().get(0).id());
    EncodeTask task = (EncodeTask) read.orders().get(0).task();
    assertEquals(new ErasureCode(6, 3), task.code());
    assertEquals(50_000_000, task.bytesPerSec());
    assertEquals(6, task.data().size());
    assertEquals(3, task.parity().size());
    LocatedBlock block = task.parity().get(1);
    assertEquals(new ExtendedBlock("pool", 1001, 1101, 1001), block.getBlock());
    assertEquals(1101, block.getBlockSize());
    assertEquals(1001, block.getBlock().getGenerationStamp());
    assertEquals("10.0.0.249:9866", block.getLocations()[0].getXferAddr());
    assertEquals("uuid-249", block.getLocations()[0].getDatanodeUuid());
    assertEquals("storage-249", block.getStorageIDs()[0]);
    assertEquals(StorageType.SSD, block.getStorageTypes()[0]);
  }

  @Test
  void whatIsLookedForComesBackAsItWent() throws IOException {
    List<LocatedBlock> blocks = new ArrayList<>();
    for (int id = 0; id < SearchTask.BLOCKS_MAX; id++) {
      blocks.add(
          new LocatedBlock(
              new ExtendedBlock("pool", id, 7, 1001), DatanodeInfo.EMPTY_ARRAY, null, null));
    }
    SearchTask sent = new SearchTask(new ErasureCode(6, 3), blocks);
    byte[] bytes = WorkCodec.encode(new WorkReply(List.of(new WorkOrder(7, sent)), List.of()));
    SearchTask read = (SearchTask) WorkCodec.reply(bytes).orders().get(0).task();
    assertEquals(sent.code(), read.code());
    assertEquals(
        blocks.stream().map(LocatedBlock::getBlock).toList(),
        read.blocks().stream().map(LocatedBlock::getBlock).toList());
    assertThrows(IllegalArgumentException.class, () -> new SearchTask(sent.code(), List.of()));
  }

  @Test
  void blocksKeepTheirTokens() throws IOException {
    EncodeTask task = task(new ErasureCode(6, 3));
    Token<BlockTokenIdentifier> token =
        new Token<>(new byte[] {1, 2}, new byte[] {3}, new Text("kind"), new Text("service"));
    task.data().get(4).setBlockToken(token);
    WorkReply reply = new WorkReply(List.of(new WorkOrder(7, task)), List.of());
    EncodeTask read = (EncodeTask) WorkCodec.reply(WorkCodec.encode(reply)).orders().get(0).task();
    assertEquals(token, read.data().get(4).getBlockToken());
    assertEquals(new Token<>(), read.data().get(3).getBlockToken());
  }

  static DecodeTask decodeTask() {
    return new DecodeTask(
        new ErasureCode(6, 3),
        4,
        List.of(unit(0), unit(2), unit(3), unit(8)),
        List.of(unit(1), unit(7)),
        0);
  }

  private static StripeUnit unit(int number) {
    return new StripeUnit(number, block(number + 1, number));
  }

  @Test
  void ordersToDecodeComeBackAsTheyWent() throws IOException {
    WorkReply reply = new WorkReply(List.of(new WorkOrder(8, decodeTask())), List.of());
    DecodeTask read = (DecodeTask) WorkCodec.reply(WorkCodec.encode(reply)).orders().get(0).task();
    assertEquals(4, read.members());
    assertEquals(List.of(0, 2, 3, 8), read.sources().stream().map(StripeUnit::number).toList());
    assertEquals(List.of(1, 7), read.wanted().stream().map(StripeUnit::number).toList());
    assertEquals(108, read.wanted().get(1).block().getBlockSize());
  }

  @Test
  void whatCannotBeDecodedIsNoTask() {
    ErasureCode code = new ErasureCode(6, 3);
    List<StripeUnit> four = List.of(unit(0), unit(2), unit(3), unit(8));
    List<StripeUnit> one = List.of(unit(1));
    List<StripeUnit> none = List.of();
    assertThrows(IllegalArgumentException.class, () -> new DecodeTask(code, 5, four, one, 0));
    assertThrows(IllegalArgumentException.class, () -> new DecodeTask(code, 4, four, none, 0));
    assertThrows(IllegalArgumentException.class, () -> new DecodeTask(code, 0, four, one, 0));
    assertThrows(
        IllegalArgumentException.class, () -> new DecodeTask(code, 4, four, List.of(unit(8)), 0));
    assertThrows(
        IllegalArgumentException.class, () -> new DecodeTask(code, 4, four, List.of(unit(5)), 0));
    assertThrows(
        IllegalArgumentException.class, () -> new DecodeTask(code, 4, four, List.of(unit(9)), 0));
  }

  @Test
  void theWidestOrderFitsAReply() {
    byte[] bytes =
        WorkCodec.encode(
            new WorkReply(
                List.of(
                    new WorkOrder(1, task(new ErasureCode(200, 55))),
                    new WorkOrder(2, task(new ErasureCode(200, 55)))),
                List.of()));
    // The reply on a heartbeat may have 256 KB, see HeartbeatReplyCodec.
    assertEquals(true, bytes.length < 200 * 1024, () -> bytes.length + " bytes");
  }

  @Test
  void reportsComeBackAsTheyWent() throws IOException {
    List<WorkReport> reports =
        List.of(
            new WorkReport(1, WorkReport.State.TAKEN, 1 << 20, ""),
            new WorkReport(2, WorkReport.State.FAILED, 0, "disk full \u00e9"),
            new WorkReport(3, WorkReport.State.DONE, 9, "", List.of(9L, 0L, Long.MAX_VALUE)),
            WorkReport.done(4, 5, new WorkResult(List.of(1L, 2L), List.of(3, -4, 5))));
    assertEquals(reports, WorkCodec.reports(WorkCodec.encode(reports)));
  }

  /** Who knows nothing of checksums sends none, and looks at nothing behind the reports. */
  @Test
  void reportsOfAnEarlierVersionAreUnderstood() throws IOException {
    WorkReport report = WorkReport.done(4, 5, new WorkResult(List.of(1L), List.of()));
    byte[] bytes = WorkCodec.encode(List.of(report));
    byte[] earlier = java.util.Arrays.copyOf(bytes, bytes.length - Short.BYTES);
    assertEquals(List.of(report), WorkCodec.reports(earlier));
  }

  @Test
  void proofsComeBackAsTheyWent() throws IOException {
    DecodeTask plain = decodeTask();
    StripeProof proof = new StripeProof(List.of(1L, 2L, 3L, 4L), List.of(1, 2, 3, 4, -5, 6, 7));
    DecodeTask decode =
        new DecodeTask(
            plain.code(), 4, plain.sources(), plain.wanted(), java.util.Optional.of(proof), 0);
    VerifyTask verify =
        new VerifyTask(
            plain.code(),
            List.of(unit(0).block(), unit(1).block(), unit(2).block(), unit(3).block()),
            unit(7),
            proof,
            9);
    WorkReply reply =
        new WorkReply(List.of(new WorkOrder(8, decode), new WorkOrder(9, verify)), List.of());
    List<WorkOrder> read = WorkCodec.reply(WorkCodec.encode(reply)).orders();
    assertEquals(proof, ((DecodeTask) read.get(0).task()).proof().orElseThrow());
    VerifyTask verifyRead = (VerifyTask) read.get(1).task();
    assertEquals(proof, verifyRead.proof());
    assertEquals(
        verify.data().stream().map(LocatedBlock::getBlock).toList(),
        verifyRead.data().stream().map(LocatedBlock::getBlock).toList());
    assertEquals(7, verifyRead.parity().number());
    assertEquals(9, verifyRead.bytesPerSec());
  }

  @Test
  void aMessageOfAnotherVersionIsRefused() {
    byte[] bytes = WorkCodec.encode(List.of());
    bytes[0] = 9;
    assertEquals(
        "a work message of version 9: known is 2",
        assertThrows(IOException.class, () -> WorkCodec.reports(bytes)).getMessage());
  }

  @Test
  void damageIsAnIoExceptionOrAnotherMessage() {
    byte[] whole =
        WorkCodec.encode(
            new WorkReply(List.of(new WorkOrder(7, task(new ErasureCode(2, 1)))), List.of(1L, 2L)));
    Random random = new Random(SEED);
    for (int i = 0; i < 20_000; i++) {
      byte[] damaged = java.util.Arrays.copyOf(whole, random.nextInt(whole.length + 1));
      for (int changes = random.nextInt(3); changes > 0 && damaged.length > 0; changes--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      try {
        WorkCodec.reply(damaged);
      } catch (IOException expected) {
        continue; // any other exception fails the test
      }
    }
  }

  @Test
  void aTaskMustBeAStripe() {
    ErasureCode code = new ErasureCode(2, 1);
    List<LocatedBlock> one = List.of(block(1, 1));
    List<LocatedBlock> three = List.of(block(1, 1), block(2, 2), block(3, 3));
    assertThrows(IllegalArgumentException.class, () -> new EncodeTask(code, three, one, 0));
    assertThrows(IllegalArgumentException.class, () -> new EncodeTask(code, List.of(), one, 0));
    assertThrows(IllegalArgumentException.class, () -> new EncodeTask(code, one, three, 0));
    assertThrows(IllegalArgumentException.class, () -> new EncodeTask(code, one, one, -1));
  }
}
