package org.rackweave.hdfs.degraded;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;
import org.rackweave.hdfs.work.DecodeTask;
import org.rackweave.hdfs.work.MoveTask;
import org.rackweave.hdfs.work.StripeUnit;

/** What travels for a degraded read, there and back, and damaged on its way. */
class DegradedCodecsTest {
  private static final Token<BlockTokenIdentifier> TOKEN =
      new Token<>(new byte[] {1, 2}, new byte[] {3}, new Text("kind"), new Text("service"));

  private static FramedBytes.Receiver receiver(byte[] bytes) {
    return new FramedBytes.Receiver(new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  private static byte[] framed(byte[] bytes) throws IOException {
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    FramedBytes.Sender sender = new FramedBytes.Sender(new DataOutputStream(sent));
    sender.grant();
    sender.write(ByteBuffer.wrap(bytes));
    sender.end();
    return sent.toByteArray();
  }

  private static byte[] received(byte[] framed, int pieceBytes) throws IOException {
    FramedBytes.Receiver receiver = receiver(framed);
    receiver.awaitGrant();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    ByteBuffer piece = ByteBuffer.allocate(pieceBytes);
    while (receiver.read(piece) >= 0) {
      all.write(piece.array(), 0, piece.position());
      piece.clear();
    }
    return all.toByteArray();
  }

  @Test
  void bytesComeAsTheyWereSentWhateverTheirLength() throws IOException {
    Random random = new Random(5);
    for (int length : new int[] {0, 1, 65_535, 65_536, 65_537, 300_000}) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      for (int piece : new int[] {1000, 65_536, 1 << 20}) {
        assertArrayEquals(bytes, received(framed(bytes), piece));
      }
    }
  }

  @Test
  void anyDamagedByteIsNoticed() throws IOException {
    byte[] bytes = "one block of many".getBytes(StandardCharsets.UTF_8);
    byte[] framed = framed(bytes);
    for (int at = 0; at < framed.length; at++) {
      byte[] damaged = framed.clone();
      damaged[at] ^= 0x40;
      assertThrows(IOException.class, () -> received(damaged, 100), "byte " + at);
    }
    byte[] cut = Arrays.copyOf(framed, framed.length - 6);
    assertThrows(EOFException.class, () -> received(cut, 100));
  }

  @Test
  void whySomethingFailedArrives() throws IOException {
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    FramedBytes.Sender sender = new FramedBytes.Sender(new DataOutputStream(sent));
    sender.grant();
    sender.write(ByteBuffer.wrap(new byte[10]));
    sender.fail(new IOException("the disk is on fire"));
    FramedBytes.Receiver receiver = receiver(sent.toByteArray());
    receiver.awaitGrant();
    ByteBuffer some = ByteBuffer.allocate(20);
    assertEquals(10, receiver.read(some));
    String said = assertThrows(IOException.class, () -> receiver.read(some)).getMessage();
    assertEquals("the disk is on fire", said);
  }

  @Test
  void aBadTokenIsToldAsHdfsDoes() throws IOException {
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    new FramedBytes.Sender(new DataOutputStream(sent)).fail(new InvalidToken("expired"));
    assertThrows(InvalidBlockTokenException.class, () -> receiver(sent.toByteArray()).awaitGrant());
  }

  @Test
  void requestsComeBackFromTheirBytes() throws IOException {
    DecodeRequest request = new DecodeRequest(new ExtendedBlock("BP-1", 7, 0, 1001), TOKEN, 5, 9);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    request.write(new DataOutputStream(bytes));
    DecodeRequest back =
        DecodeRequest.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    assertEquals(request, back);
    byte[] other = bytes.toByteArray();
    other[0] = 9;
    assertThrows(
        IOException.class,
        () -> DecodeRequest.read(new DataInputStream(new ByteArrayInputStream(other))));
    assertThrows(
        IllegalArgumentException.class, () -> new DecodeRequest(request.block(), TOKEN, -1, 9));
    assertThrows(
        IllegalArgumentException.class, () -> new DecodeRequest(request.block(), TOKEN, 0, 0));
  }

  @Test
  void noRoomIsMadeForATokenBecauseAStrangerSaysItIsLong() throws IOException {
    for (int part = 0; part < 4; part++) {
      for (int length : new int[] {Integer.MAX_VALUE, (1 << 16) + 1, -1}) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeByte(1);
        out.writeUTF("BP-1");
        out.writeLong(7);
        out.writeLong(1001);
        for (int before = 0; before < part; before++) {
          WritableUtils.writeVInt(out, 0);
        }
        WritableUtils.writeVInt(out, length);
        IOException refused =
            assertThrows(
                IOException.class,
                () ->
                    DecodeRequest.read(
                        new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()))));
        assertEquals(
            "a token with " + length + " bytes in a part, allowed are 0 to 65536",
            refused.getMessage());
      }
    }
  }

  @Test
  void questionsComeBackFromTheirBytes() throws IOException {
    for (NameNodeQuery question :
        List.of(
            new NameNodeQuery.Announcement("u-1", 9863),
            new NameNodeQuery.Recipe("u-2", "BP-1", -5, 1007, List.of()),
            new NameNodeQuery.Recipe("u-2", "BP-1", -5, 1007, List.of("u-3", "u-4")))) {
      assertEquals(question, NameNodeQuery.of(question.toBytes()));
    }
    assertThrows(IOException.class, () -> NameNodeQuery.of(new byte[] {7, 1}));
    assertThrows(IOException.class, () -> NameNodeQuery.of(new byte[] {3, 9, 0, 0}));
    assertThrows(IOException.class, () -> NameNodeQuery.of(new byte[0]));
  }

  private static StripeUnit unit(int number, String blockPool, long blockId, long generation) {
    return new StripeUnit(
        number,
        new LocatedBlock(
            new ExtendedBlock(blockPool, blockId, 10, generation),
            new DatanodeInfo[] {
              new DatanodeInfo.DatanodeInfoBuilder().setDatanodeUuid("u").build()
            }));
  }

  private static DecodeTask making(StripeUnit wanted, String sourcesPool) {
    return new DecodeTask(
        ErasureCode.named("rs-2-1"),
        2,
        List.of(unit(1, sourcesPool, 8, 1008), unit(2, sourcesPool, 9, 1009)),
        List.of(wanted),
        0);
  }

  @Test
  void onlyARecipeOfTheVeryBlockAnswersTheQuestion() {
    NameNodeQuery.Recipe asked =
        NameNodeQuery.Recipe.of("u-2", new ExtendedBlock("BP-1", 7, 10, 1007), List.of());
    assertTrue(asked.isAnsweredBy(making(unit(0, "BP-1", 7, 1007), "BP-1")));
    assertFalse(asked.isAnsweredBy(making(unit(0, "BP-2", 7, 1007), "BP-1")), "pool");
    assertFalse(asked.isAnsweredBy(making(unit(0, "BP-1", 6, 1007), "BP-1")), "id");
    assertFalse(asked.isAnsweredBy(making(unit(0, "BP-1", 7, 1006), "BP-1")), "generation stamp");
    assertFalse(asked.isAnsweredBy(making(unit(0, "BP-1", 7, 1007), "BP-2")), "sources' pool");
    ErasureCode code = ErasureCode.named("rs-2-1");
    LocatedBlock it = unit(0, "BP-1", 7, 1007).block();
    assertTrue(asked.isAnsweredBy(new MoveTask(code, it, it, 0)), "a replica");
    LocatedBlock older = unit(0, "BP-1", 7, 1006).block();
    assertFalse(asked.isAnsweredBy(new MoveTask(code, older, it, 0)), "an older replica");
    LocatedBlock others = unit(0, "BP-2", 7, 1007).block();
    assertFalse(asked.isAnsweredBy(new MoveTask(code, others, others, 0)), "another namespace's");
  }

  @Test
  void decodersComeBackAndWhatIsNoneIsLeftOut() {
    DatanodeID one = new DatanodeID("10.0.0.1", "host1", "uuid-1", 9863, 0, 0, 0);
    DatanodeID two = new DatanodeID("10.0.0.2", "host2", "uuid-2", 1, 0, 0, 0);
    List<DatanodeID> back = Decoders.decode(Decoders.encode(List.of(one, two)));
    assertEquals(List.of(one, two), back);
    assertEquals("host2", back.get(1).getHostName());
    assertTrue(
        Decoders.decode("nonsense\n\na b c port\n".getBytes(StandardCharsets.UTF_8)).isEmpty());
  }
}
