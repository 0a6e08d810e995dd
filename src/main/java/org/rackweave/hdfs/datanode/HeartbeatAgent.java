package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.StorageReportProto;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.AgentConfig;
import org.rackweave.hdfs.PiggybackField;
import org.rackweave.hdfs.ReportingHeartbeat;
import org.rackweave.telemetry.HeartbeatReply;
import org.rackweave.telemetry.HeartbeatReplyCodec;
import org.rackweave.telemetry.HeartbeatReport;
import org.rackweave.telemetry.HeartbeatReportCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the reports one DataNode sends to one NameNode, and follows that NameNode's replies.
 *
 * <p>Soft state: the last samples and, while asked for, the read counters; lost with the proxy,
 * which belongs to one DataNode for good.
 *
 * <p>Not thread-safe: a proxy sends one heartbeat at a time. {@link #close()} may come from any
 * thread.
 */
final class HeartbeatAgent implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HeartbeatAgent.class);

  /** Five minutes by HDFS's default, after which HDFS, too, gives copies up. */
  private static final int HEARTBEATS_OF_SILENCE = 100;

  private final LinkSampler sampler;
  private final LinkGauge gauge;
  private final SaturationSampler saturation;
  private final AgentMetrics metrics;
  private final CounterEpoch epoch = new CounterEpoch(Time::now, Time::monotonicNow);
  private final ReadCounts readCounts = new ReadCounts();

  private final WorkAgent work;
  private final PacedTransfers transfers;

  private String absence;

  HeartbeatAgent(
      LinkSampler sampler,
      LinkGauge gauge,
      SaturationSampler saturation,
      AgentMetrics metrics,
      WorkAgent work,
      PacedTransfers transfers) {
    this.sampler = sampler;
    this.gauge = gauge;
    this.saturation = saturation;
    this.metrics = metrics;
    this.work = work;
    this.transfers = transfers;
  }

  /**
   * An agent that looks at a host.
   *
   * @param files of that host
   */
  static HeartbeatAgent of(
      HostFiles files, AgentConfig config, Configuration conf, AgentMetrics metrics) {
    DiskWrites disks = new DiskWrites(files, directories(conf), Time::monotonicNow);
    NicSampler nic =
        new NicSampler(config, files, InterfaceLookup.ofThisHost(), disks, Time::monotonicNow);
    LinkSampler sampler = new ChosenSampler(config, nic, new DataNodeSampler(config));
    return new HeartbeatAgent(
        sampler,
        new LinkGauge(
            sampler, LinkWatch.ofThisProcess(), metrics, System::nanoTime, heartbeatMs(conf)),
        new SaturationSampler(files, disks, Time::monotonicNow),
        metrics,
        new WorkAgent(config.workThreads(), conf),
        new PacedTransfers(
            StartedDataNodes::find, metrics, HEARTBEATS_OF_SILENCE * heartbeatMs(conf)));
  }

  private static long heartbeatMs(Configuration conf) {
    long ms =
        conf.getTimeDuration(
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY,
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_DEFAULT,
            TimeUnit.SECONDS,
            TimeUnit.MILLISECONDS);
    return Math.max(1, ms);
  }

  /** The DataNode's directories; none is no reason to go without the rest of a report. */
  private static List<Path> directories(Configuration conf) {
    List<Path> directories = new ArrayList<>();
    if (conf.getTrimmedStringCollection(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY).isEmpty()) {
      return directories;
    }
    for (StorageLocation location : DataNode.getStorageLocations(conf)) {
      if ("file".equals(location.getUri().getScheme())) {
        directories.add(Path.of(location.getUri()).toAbsolutePath().normalize());
      }
    }
    return directories;
  }

  /**
   * The heartbeat with a report on it, or the same heartbeat when there is nothing to report.
   *
   * @throws IOException if the counters cannot be read
   */
  Message report(HeartbeatRequestProto heartbeat) throws IOException {
    long startNanos = System.nanoTime();
    LinkSample sample;
    try {
      sample = sampler.sample(heartbeat);
    } catch (NothingToMeasureException e) {
      gauge.lose();
      metrics.nothingMeasured();
      sayOnce(e.getMessage());
      return heartbeat;
    }
    sayOnce(null);
    epoch.advance(sample);
    Message reporting =
        new ReportingHeartbeat(
            heartbeat,
            HeartbeatReportCodec.encode(
                report(heartbeat, sample),
                work.reports(),
                transfers.progress(uuid(heartbeat)),
                namespaces(uuid(heartbeat))));
    metrics.reportSent(System.nanoTime() - startNanos);
    return reporting;
  }

  private HeartbeatReport report(HeartbeatRequestProto heartbeat, LinkSample sample) {
    return new HeartbeatReport(
        epoch.epochMs(),
        Math.max(0, Time.now()),
        epoch.uptimeMs(),
        sample.rxBytes(),
        sample.txBytes(),
        sample.linkBytesPerSec(),
        sample.diskWrittenBytes(),
        sample.blockBytesReceived(),
        usedFraction(heartbeat),
        sample.readers(),
        sample.writers(),
        readCounts.drain(),
        readCounts.missed(),
        gauge.report(uuid(heartbeat), sample.linkBytesPerSec()),
        saturation.look());
  }

  /** 0 without the plugin. */
  private static int namespaces(String datanodeUuid) {
    OwnTraffic dataNode = StartedDataNodes.find(datanodeUuid);
    return dataNode == null ? 0 : dataNode.namespaces();
  }

  /** What is not available any more of the DataNode's healthy storages, HDFS's or not. */
  private static float usedFraction(HeartbeatRequestProto heartbeat) {
    double capacity = 0;
    double remaining = 0;
    for (StorageReportProto storage : heartbeat.getReportsList()) {
      if (!storage.getFailed()) {
        capacity += storage.getCapacity();
        remaining += storage.getRemaining();
      }
    }
    return capacity <= 0 ? 0 : (float) Math.max(0, Math.min(1, 1 - remaining / capacity));
  }

  /** Logs why there is no report, when the reason is another one than before. */
  private void sayOnce(String reason) {
    if (!Objects.equals(reason, absence)) {
      absence = reason;
      if (reason == null) {
        LOG.info("Reporting the link's load to the NameNode");
      } else {
        LOG.warn("Not reporting the link's load to the NameNode: {}", reason);
      }
    }
  }

  /**
   * Does what the NameNode asks for in its reply to a heartbeat.
   *
   * @param blockPool of the NameNode's namespace, {@code null} when it is not known
   * @return the reply that is left for HDFS
   */
  HeartbeatResponseProto follow(
      HeartbeatRequestProto heartbeat, HeartbeatResponseProto response, String blockPool) {
    ByteString payload = PiggybackField.find(response.getUnknownFields());
    Optional<HeartbeatReply> reply = Optional.of(HeartbeatReply.NOTHING);
    Optional<byte[]> orders = Optional.empty();
    byte[] rates = null;
    if (payload != null) {
      byte[] bytes = payload.toByteArray();
      reply = HeartbeatReplyCodec.decode(bytes);
      if (reply.isEmpty()) {
        metrics.replyRefused();
      } else {
        orders = HeartbeatReplyCodec.work(bytes);
        rates = HeartbeatReplyCodec.rates(bytes).orElse(null);
      }
    }
    String uuid = uuid(heartbeat);
    readCounts.want(reply.orElse(HeartbeatReply.NOTHING).topReads(), uuid, blockPool);
    if (!work.follow(orders, uuid)) {
      metrics.replyRefused();
    }
    return transfers.follow(rates, response, uuid);
  }

  private static String uuid(HeartbeatRequestProto heartbeat) {
    return heartbeat.getRegistration().getDatanodeID().getDatanodeUuid();
  }

  @Override
  public void close() {
    gauge.close();
    readCounts.close();
    transfers.close();
    work.close();
  }
}
