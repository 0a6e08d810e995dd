package org.rackweave.cli.bench;

import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeStorageProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.StorageReportProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelper;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.util.VersionInfo;
import org.rackweave.telemetry.HeartbeatReport;
import org.rackweave.telemetry.HeartbeatReportCodec;

/** A DataNode as far as heartbeats show it: four disks, and a link with a load of its own. */
final class SimulatedDatanode {
  static final long HEARTBEAT_MS = 3000;
  private static final int STORAGES = 4;
  private static final long DISK_BYTES = 4L << 40;
  private static final long LINK_BYTES_PER_SEC = 125_000_000;

  private final int number;
  private final DatanodeRegistration registration;
  private final SplittableRandom random;
  private final double meanLoad;
  private final double usedFraction;
  private final long epochMs = Time.now();

  private long uptimeMs;
  private long rxBytes;
  private long txBytes;

  /**
   * @param rackLoad load of its rack's links, 0 to 1; its own lies around it
   */
  SimulatedDatanode(int number, NamespaceInfo namespace, double rackLoad, SplittableRandom random) {
    this.number = number;
    this.random = random;
    meanLoad = Math.min(0.95, rackLoad * random.nextDouble(0.4, 1.6));
    usedFraction = random.nextDouble(0.55, 0.60);
    String address = SimulatedRacks.address(number);
    registration =
        new DatanodeRegistration(
            new DatanodeID(address, address, uuid(number), 9866, 9864, 9865, 9867),
            new StorageInfo(
                namespace.getLayoutVersion(),
                namespace.getNamespaceID(),
                namespace.getClusterID(),
                namespace.getCTime(),
                NodeType.DATA_NODE),
            new ExportedBlockKeys(),
            VersionInfo.getVersion());
  }

  private static String uuid(int number) {
    return String.format("%08x-0000-4000-8000-000000000000", number);
  }

  int number() {
    return number;
  }

  String uuid() {
    return registration.getDatanodeUuid();
  }

  DatanodeRegistration registration() {
    return registration;
  }

  /** A stock heartbeat; busy nodes serve more transfers. */
  HeartbeatRequestProto heartbeat() {
    HeartbeatRequestProto.Builder heartbeat =
        HeartbeatRequestProto.newBuilder()
            .setRegistration(PBHelper.convert(registration))
            .setXceiverCount(4 + (int) (20 * meanLoad))
            .setXmitsInProgress(0)
            .setFailedVolumes(0)
            .setCacheCapacity(0)
            .setCacheUsed(0)
            .setRequestFullBlockReportLease(false);
    long usedBytes = (long) (DISK_BYTES * usedFraction);
    for (int storage = 0; storage < STORAGES; storage++) {
      String id = "DS-" + uuid() + '-' + storage;
      heartbeat.addReports(
          StorageReportProto.newBuilder()
              .setStorageUuid(id)
              .setStorage(DatanodeStorageProto.newBuilder().setStorageUuid(id))
              .setCapacity(DISK_BYTES)
              .setDfsUsed(usedBytes)
              .setRemaining(DISK_BYTES - usedBytes)
              .setBlockPoolUsed(usedBytes)
              .setNonDfsUsed(0));
    }
    return heartbeat.build();
  }

  /** The agent's next report: what the link carried during one more heartbeat interval. */
  byte[] nextReport() {
    uptimeMs += HEARTBEAT_MS;
    double load = Math.min(1, meanLoad * random.nextDouble(0.7, 1.3));
    long moved = (long) (load * LINK_BYTES_PER_SEC * HEARTBEAT_MS / 1000);
    rxBytes += moved;
    txBytes += moved / 2;
    return HeartbeatReportCodec.encode(
        new HeartbeatReport(
            epochMs,
            Time.now(),
            uptimeMs,
            rxBytes,
            txBytes,
            LINK_BYTES_PER_SEC,
            rxBytes,
            rxBytes / 2,
            (float) usedFraction,
            (int) (4 * load),
            (int) (8 * load),
            List.of()));
  }
}
