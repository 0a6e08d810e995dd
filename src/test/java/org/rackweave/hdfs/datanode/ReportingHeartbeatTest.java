package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.PiggybackField;
import org.rackweave.hdfs.ReportingHeartbeat;

class ReportingHeartbeatTest {
  private static final long SEED = 9741;
  private static final byte[] REPORT = {1, 2, 3, 4};
  private static final HeartbeatRequestProto HEARTBEAT =
      Heartbeats.of("10.0.0.7", Heartbeats.storage(1000, 250, false));

  private static ReportingHeartbeat received(byte[] wire) throws IOException {
    // The way Hadoop's RPC server takes it.
    Message prototype = ReportingHeartbeat.prototype();
    CodedInputStream in = CodedInputStream.newInstance(wire);
    Message message = prototype.getParserForType().parseFrom(in);
    in.checkLastTagWas(0);
    return (ReportingHeartbeat) message;
  }

  @Test
  void carriesTheReportPastANameNodeThatKnowsIt() throws IOException {
    ReportingHeartbeat received = received(new ReportingHeartbeat(HEARTBEAT, REPORT).toByteArray());
    assertArrayEquals(REPORT, received.report());
    assertEquals(HEARTBEAT, received.heartbeat());
  }

  @Test
  void isAHeartbeatWithAnUnknownFieldForANameNodeThatDoesNot() throws IOException {
    HeartbeatRequestProto stock =
        HeartbeatRequestProto.parseFrom(new ReportingHeartbeat(HEARTBEAT, REPORT).toByteArray());
    assertEquals(
        ByteString.copyFrom(REPORT), PiggybackField.find(stock.getUnknownFields()), "skipped");
    assertEquals(
        HEARTBEAT,
        stock.toBuilder().setUnknownFields(UnknownFieldSet.getDefaultInstance()).build());
  }

  @Test
  void takesTheHeartbeatOfADataNodeWithoutAgent() throws IOException {
    ReportingHeartbeat received = received(HEARTBEAT.toByteArray());
    assertNull(received.report());
    assertEquals(HEARTBEAT, received.heartbeat());
  }

  @Test
  void saysItsSizeAsItIsWritten() {
    ReportingHeartbeat heartbeat = new ReportingHeartbeat(HEARTBEAT, REPORT);
    assertEquals(heartbeat.toByteArray().length, heartbeat.getSerializedSize());
  }

  @Test
  void refusesWhatStockRefuses() {
    byte[] empty = {};
    assertThrows(
        InvalidProtocolBufferException.class, () -> HeartbeatRequestProto.parseFrom(empty));
    assertThrows(InvalidProtocolBufferException.class, () -> received(empty));
    byte[] reportAlone =
        new ReportingHeartbeat(HeartbeatRequestProto.getDefaultInstance(), REPORT).toByteArray();
    assertThrows(InvalidProtocolBufferException.class, () -> received(reportAlone));
  }

  @Test
  void readsFieldsInAnyOrderAsStockDoes() throws IOException {
    byte[] registration =
        HeartbeatRequestProto.newBuilder()
            .setRegistration(HEARTBEAT.getRegistration())
            .buildPartial()
            .toByteArray();
    byte[] rest = HEARTBEAT.toBuilder().clearRegistration().buildPartial().toByteArray();
    assertEquals(HEARTBEAT, received(join(rest, registration)).heartbeat());
    assertEquals(
        HeartbeatRequestProto.parseFrom(join(join(registration, rest), registration)),
        received(join(join(registration, rest), registration)).heartbeat());
  }

  /** The plain parser is the oracle: the same message or, for both, a refusal. */
  @Test
  void agreesWithStockOnDamagedHeartbeats() {
    System.out.println("ReportingHeartbeatTest seed " + SEED);
    SplittableRandom random = new SplittableRandom(SEED);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] wire = HEARTBEAT.toByteArray();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        wire[random.nextInt(wire.length)] ^= (byte) (1 << random.nextInt(8));
      }
      if (random.nextInt(4) == 0) {
        wire = Arrays.copyOf(wire, random.nextInt(wire.length));
      }
      HeartbeatRequestProto stock = stockOrNull(wire);
      assertEquals(stock, oursOrNull(wire), Arrays.toString(wire));
      refused += stock == null ? 1 : 0;
    }
    assertEquals(true, refused > 1000 && refused < 19_000, "refused " + refused);
  }

  private static HeartbeatRequestProto stockOrNull(byte[] wire) {
    try {
      return HeartbeatRequestProto.parseFrom(wire);
    } catch (InvalidProtocolBufferException e) {
      return null;
    }
  }

  private static HeartbeatRequestProto oursOrNull(byte[] wire) {
    try {
      return received(wire).heartbeat();
    } catch (InvalidProtocolBufferException e) {
      return null;
    } catch (IOException e) {
      throw new AssertionError("another exception than stock's", e);
    }
  }

  private static byte[] join(byte[] a, byte[] b) {
    byte[] joined = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, joined, a.length, b.length);
    return joined;
  }
}
