package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionResponseProto;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.PBHelper;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.ipc.Client.ConnectionId;
import org.apache.hadoop.ipc.RpcInvocationHandler;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.hdfs.PiggybackField;
import org.rackweave.hdfs.ReportingHeartbeat;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.telemetry.HeartbeatReply;
import org.rackweave.telemetry.HeartbeatReplyCodec;
import org.rackweave.telemetry.LinkCounters;
import org.rackweave.telemetry.ReportReader;

class HeartbeatHandlerTest {
  private static final HeartbeatRequestProto HEARTBEAT =
      Heartbeats.of(
          "10.0.0.7",
          Heartbeats.storage(1_000, 250, false),
          Heartbeats.storage(1_000, 750, false),
          Heartbeats.storage(5_000, 0, true));

  @TempDir Path root;
  private FixtureHost host;
  private long nanos;
  private final AgentMetrics metrics = new AgentMetrics();
  private final Stub hadoop = new Stub();
  private final List<HeartbeatHandler> handlers = new ArrayList<>();
  private final LinkWatch watch = new LinkWatch(metrics, () -> nanos, TimeUnit.HOURS.toMillis(1));
  private final Logger log = Logger.getLogger(HookGuard.class);
  private LinkSampler sampler = heartbeat -> new LinkSample("eth0", 10, 20, 30, 40, 50, 5, 6);

  @BeforeEach
  void bringUpHost() throws IOException {
    host = new FixtureHost(root).segments(0, 0, 0, 0);
  }

  @BeforeEach
  void silenceExpectedWarnings() {
    log.setLevel(Level.OFF);
  }

  @AfterEach
  void closeHandlersAndRestoreLog() throws IOException {
    for (HeartbeatHandler handler : handlers) {
      handler.close();
    }
    assertTrue(watch.isIdle());
    log.setLevel(null);
  }

  @Test
  void addsAReportToAHeartbeat() throws Throwable {
    assertSame(hadoop.response, heartbeat(handler()));
    ReportReader report = sentReport();
    assertEquals(10, report.rxBytes());
    assertEquals(20, report.txBytes());
    assertEquals(30, report.linkBytesPerSec());
    assertEquals(40, report.diskWrittenBytes());
    assertEquals(50, report.blockBytesReceived());
    assertEquals(0.5f, report.diskUsedFraction(), "failed storages do not count");
    assertEquals(5, report.readers());
    assertEquals(6, report.writers());
    assertTrue(report.epochMs() > 0 && report.sentAtMs() >= report.epochMs());
    assertEquals(1, metrics.reportsSent());
  }

  @Test
  void tellsTheLinksRatesOfTheMomentFromTheSecondReportOn() throws Throwable {
    FakeLink link = new FakeLink();
    sampler = link;
    HeartbeatHandler handler = handler();
    heartbeat(handler);
    assertFalse(sentReport().hasRates());
    nanos += 200_000_000;
    link.counters = new LinkCounters("eth0", 2_000_000, 400_000, 1_500_000, 0);
    heartbeat(handler);
    ReportReader report = sentReport();
    assertEquals(10e6, report.rxRate(), 5e4);
    assertEquals(2e6, report.txRate(), 1e4);
    assertEquals(2.5e6, report.othersRxRate(), 2e4);
    assertEquals(7.5e6, report.blocksRxRate(), 4e4);
    assertEquals(0, report.blockBytesReceived(), "not beside rates");
  }

  @Test
  void tellsWhatTheHostSaturatesBesideRates() throws Throwable {
    sampler = new FakeLink();
    HeartbeatHandler handler = handler();
    heartbeat(handler);
    nanos += 3_000_000_000L;
    host.segments(10_000, 500, 10_000, 0);
    heartbeat(handler);
    assertTrue(sentReport().isSaturatedRx());
    assertFalse(sentReport().isSaturatedTx());
    nanos += 3_000_000_000L;
    host.segments(20_000, 500, 20_000, 500);
    heartbeat(handler);
    assertFalse(sentReport().isSaturatedRx());
    assertTrue(sentReport().isSaturatedTx());
  }

  @Test
  void reportsWithoutRatesWhenOnlyTheSamplesBetweenHeartbeatsFail() throws Throwable {
    FakeLink link = new FakeLink();
    sampler = link;
    HeartbeatHandler handler = handler();
    heartbeat(handler);
    link.isBroken = true;
    nanos += 3_000_000_000L;
    heartbeat(handler);
    assertFalse(sentReport().hasRates());
    assertEquals(50, sentReport().blockBytesReceived());
    assertEquals(1, metrics.samplesFailedCount());
    assertEquals(2, metrics.reportsSent());
    link.isBroken = false;
    nanos += 3_000_000_000L;
    heartbeat(handler);
    assertTrue(sentReport().hasRates(), "of the mean over the gap");
  }

  @Test
  void changesNothingElseOfAHeartbeat() throws Throwable {
    heartbeat(handler());
    HeartbeatRequestProto sent = ((ReportingHeartbeat) hadoop.args[1]).heartbeat();
    assertEquals(HEARTBEAT.getReportsList(), sent.getReportsList());
    assertEquals(HEARTBEAT.getRegistration(), sent.getRegistration());
    assertEquals(HEARTBEAT.getXceiverCount(), sent.getXceiverCount());
  }

  @Test
  void leavesOtherCallsAlone() throws Throwable {
    Object[] args = {null, HEARTBEAT};
    Method other =
        DatanodeProtocolPB.class.getMethod(
            "versionRequest", RpcController.class, VersionRequestProto.class);
    handler().invoke(null, other, args);
    assertSame(args, hadoop.args);
  }

  @Test
  void sendsTheHeartbeatAsItWasWhenSamplingThrowsAnything() throws Throwable {
    List<LinkSampler> failing =
        List.of(
            heartbeat -> {
              throw new IOException("disk");
            },
            heartbeat -> {
              throw new IllegalStateException();
            },
            heartbeat -> {
              throw new StackOverflowError();
            });
    for (LinkSampler next : failing) {
      sampler = next;
      assertSame(hadoop.response, heartbeat(handler()));
      assertSame(HEARTBEAT, hadoop.args[1]);
    }
    assertEquals(3, metrics.failures());
  }

  @Test
  void sendsTheHeartbeatAsItWasWhenASampleIsOutOfRange() throws Throwable {
    sampler = heartbeat -> new LinkSample("eth0", -1, 0, 0, 0, 0, 0, 0);
    heartbeat(handler());
    assertSame(HEARTBEAT, hadoop.args[1]);
    assertEquals(1, metrics.failures());
  }

  @Test
  void sendsTheHeartbeatAsItWasWhenThereIsNothingToMeasure() throws Throwable {
    sampler =
        heartbeat -> {
          throw new NothingToMeasureException("loopback");
        };
    Logger agentLog = Logger.getLogger(HeartbeatAgent.class);
    agentLog.setLevel(Level.OFF);
    try {
      heartbeat(handler());
    } finally {
      agentLog.setLevel(null);
    }
    assertSame(HEARTBEAT, hadoop.args[1]);
    assertEquals(1, metrics.nothingMeasuredCount());
    assertEquals(0, metrics.failures());
  }

  @Test
  void passesOnTheVeryExceptionOfTheCall() {
    hadoop.failure = new ServiceException("standby");
    assertSame(hadoop.failure, assertThrows(ServiceException.class, () -> heartbeat(handler())));
    assertEquals(0, metrics.failures());
  }

  @Test
  void survivesRepliesThatMakeNoSense() throws Throwable {
    for (byte[] reply : List.of(new byte[0], new byte[] {99}, new byte[] {1, 8})) {
      hadoop.response = PiggybackField.attach(Heartbeats.reply(), reply);
      assertSame(hadoop.response, heartbeat(handler()));
    }
    assertEquals(3, metrics.repliesRefused());
    hadoop.response = null;
    assertNull(heartbeat(handler()));
  }

  @Test
  void sendsReadCountsAfterTheNameNodeAskedForThem() throws Throwable {
    HeartbeatHandler handler = handler();
    tellVersion(handler);
    hadoop.response =
        PiggybackField.attach(
            Heartbeats.reply(), HeartbeatReplyCodec.encode(new HeartbeatReply(3)));
    heartbeat(handler);
    assertEquals(0, sentReport().topReadsCount());
    Logger.getLogger(ReadCountAppender.CLIENT_TRACE)
        .debug(ClientTraceLineTest.line("HDFS_READ", "client", Heartbeats.UUID, 77));
    heartbeat(handler);
    assertEquals(77, sentReport().topReads().get(0).blockId());
    handler.close();
    assertNull(Logger.getLogger(ReadCountAppender.CLIENT_TRACE).getLevel());
    assertTrue(hadoop.closed);
  }

  @Test
  void identifiesItsConnectionAsHadoopDoes() {
    handler().getConnectionId();
    assertTrue(hadoop.asked);
  }

  private HeartbeatHandler handler() {
    HeartbeatHandler handler =
        new HeartbeatHandler(
            hadoop,
            new HeartbeatAgent(
                sampler,
                new LinkGauge(sampler, watch, metrics, () -> nanos, 3_000),
                new SaturationSampler(
                    host.files(),
                    new DiskWrites(host.files(), List.of(), () -> nanos / 1_000_000),
                    () -> nanos / 1_000_000),
                metrics,
                new WorkAgent(0, new Configuration()),
                new PacedTransfers(uuid -> null, metrics, 10_000)),
            metrics,
            2);
    handlers.add(handler);
    return handler;
  }

  /** A NameNode is asked for its version before it gets heartbeats. */
  private void tellVersion(HeartbeatHandler handler) throws Throwable {
    hadoop.version =
        VersionResponseProto.newBuilder()
            .setInfo(
                PBHelper.convert(
                    new NamespaceInfo(1, "cluster", ClientTraceLineTest.POOL, 0, "b", "3.5.0")))
            .build();
    Method versionRequest =
        DatanodeProtocolPB.class.getMethod(
            "versionRequest", RpcController.class, VersionRequestProto.class);
    handler.invoke(
        null, versionRequest, new Object[] {null, VersionRequestProto.getDefaultInstance()});
    hadoop.version = null;
  }

  private static Object heartbeat(HeartbeatHandler handler) throws Throwable {
    Method method =
        DatanodeProtocolPB.class.getMethod(
            "sendHeartbeat", RpcController.class, HeartbeatRequestProto.class);
    return handler.invoke(null, method, new Object[] {null, HEARTBEAT});
  }

  private ReportReader sentReport() {
    byte[] payload = ((ReportingHeartbeat) hadoop.args[1]).report();
    ReportReader reader = new ReportReader();
    assertNull(reader.read(payload, 0, payload.length));
    return reader;
  }

  /** Has a cheap way to its counters. */
  private static final class FakeLink implements LinkSampler {
    LinkCounters counters = new LinkCounters("eth0", 0, 0, 0, 0);
    boolean isBroken;

    @Override
    public LinkSample sample(HeartbeatRequestProto heartbeat) {
      return new LinkSample("eth0", 10, 20, 30, 40, 50, 5, 6);
    }

    @Override
    public Optional<LinkCounters> counters(String datanodeUuid) throws IOException {
      if (isBroken) {
        throw new IOException("unreadable");
      }
      return Optional.of(counters);
    }
  }

  private static final class Stub implements RpcInvocationHandler {
    HeartbeatResponseProto response = Heartbeats.reply();
    VersionResponseProto version;
    ServiceException failure;
    Object[] args;
    boolean closed;
    boolean asked;

    @Override
    public Object invoke(Object proxy, Method method, Object[] args) throws ServiceException {
      this.args = args;
      if (failure != null) {
        throw failure;
      }
      return version == null ? response : version;
    }

    @Override
    public ConnectionId getConnectionId() {
      asked = true;
      return null;
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
