package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeProtocolService;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.protocolPB.PBHelper;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ReportingHeartbeat;
import org.rackweave.telemetry.DropCause;
import org.rackweave.telemetry.HeartbeatReport;
import org.rackweave.telemetry.HeartbeatReportCodec;

/** Hostile payloads on the heartbeats of a real DataNode to a real NameNode. */
@Tag("newest-hadoop")
class HeartbeatFuzzIT {
  private static final int PAYLOADS = 10_000;
  private static final long SEED = 20_130_812;

  @Test
  void answersEveryHeartbeatWhateverItsPayload() throws Exception {
    System.out.println("HeartbeatFuzzIT seed " + SEED);
    try (RackCluster cluster = RackCluster.start(RackCluster.conf(), 2, 2).awaitCoverage()) {
      PlacementContext context = cluster.context();
      BlockingService hdfs =
          DatanodeProtocolService.newReflectiveBlockingService(
              new DatanodeProtocolServerSideTranslatorPB(cluster.mini().getNameNodeRpc(), 1 << 26));
      HeartbeatInterceptor interceptor = new HeartbeatInterceptor(hdfs, context, null, null, null);
      MethodDescriptor heartbeat =
          DatanodeProtocolService.getDescriptor().findMethodByName("sendHeartbeat");
      HeartbeatRequestProto plain = heartbeatOf(cluster.mini().getDataNodes().get(0), cluster);
      SplittableRandom random = new SplittableRandom(SEED);
      long countedBefore = counted(context);
      for (int i = 0; i < PAYLOADS; i++) {
        byte[] payload = hostile(random, i);
        byte[] wire = new ReportingHeartbeat(plain, payload).toByteArray();
        Message received =
            interceptor.getRequestPrototype(heartbeat).getParserForType().parseFrom(wire);
        Message answer = interceptor.callBlockingMethod(heartbeat, null, received);
        assertNotNull(answer);
      }
      context.readReports(Time.monotonicNow());
      assertEquals(PAYLOADS, counted(context) - countedBefore);
      for (DropCause cause :
          List.of(
              DropCause.MALFORMED,
              DropCause.TRUNCATED,
              DropCause.OVERSIZED,
              DropCause.UNSUPPORTED_VERSION,
              DropCause.NOT_A_NUMBER,
              DropCause.REPLAYED,
              DropCause.FUTURE_DATED)) {
        assertTrue(context.collector().droppedCount(cause) > 0, cause.label());
      }
      cluster.write("/after-the-storm", 3, 3);
      assertTrue(context.metrics().decisionCount() >= 3);
    }
  }

  private static HeartbeatRequestProto heartbeatOf(DataNode datanode, RackCluster cluster)
      throws Exception {
    String pool = cluster.mini().getNamesystem().getBlockPoolId();
    return HeartbeatRequestProto.newBuilder()
        .setRegistration(PBHelper.convert(datanode.getDNRegistrationForBP(pool)))
        .setXceiverCount(0)
        .setXmitsInProgress(0)
        .setFailedVolumes(0)
        .build();
  }

  private static long counted(PlacementContext context) {
    long sum = context.collector().acceptedCount();
    for (DropCause cause : DropCause.values()) {
      sum += context.collector().droppedCount(cause);
    }
    return sum;
  }

  /** Valid, replayed and future-dated reports, damaged ones, and plain noise. */
  private static byte[] hostile(SplittableRandom random, int i) {
    long now = Time.now();
    long future = i % 10 == 1 ? 3_600_000 : 0;
    long uptimeMs = i % 10 == 2 ? 1 : i + 1L;
    byte[] valid =
        HeartbeatReportCodec.encode(
            new HeartbeatReport(
                1,
                now + future,
                uptimeMs,
                1000L * i,
                500L * i,
                125_000_000,
                i,
                i,
                0.5f,
                1,
                1,
                List.of()));
    switch (i % 10) {
      case 0, 1, 2:
        return valid;
      case 3:
        return Arrays.copyOf(valid, random.nextInt(valid.length));
      case 4:
        return new byte[HeartbeatReport.MAX_ENCODED_BYTES + 1 + random.nextInt(1000)];
      case 5:
        return noise(random, random.nextInt(200));
      case 6:
        return withNotANumber(valid);
      default:
        for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
          valid[random.nextInt(valid.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return valid;
    }
  }

  private static byte[] noise(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Replaces the little-endian 0.5f of the used fraction by a NaN. */
  private static byte[] withNotANumber(byte[] valid) {
    int half = Float.floatToIntBits(0.5f);
    for (int i = 0; i + 4 <= valid.length; i++) {
      if (valid[i] == (byte) half
          && valid[i + 1] == (byte) (half >> 8)
          && valid[i + 2] == (byte) (half >> 16)
          && valid[i + 3] == (byte) (half >> 24)) {
        valid[i + 2] = (byte) 0xc0;
        valid[i + 3] = 0x7f;
        return valid;
      }
    }
    throw new AssertionError("no used fraction found");
  }
}
