package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.rackweave.hdfs.AgentConfig;
import org.rackweave.hdfs.AgentKeys;
import org.rackweave.telemetry.LinkCounters;

/**
 * Counts the bytes of the network link a DataNode is reached by: the configured interface, or the
 * one that carries the address the DataNode registered with, and then what {@link NetworkLinks}
 * finds under it.
 *
 * <p>Readers and writers are the DataNode's own counts where its plugin runs. Otherwise they come
 * from the heartbeat itself, which does not tell client reads from writes: both are all transfer
 * threads ({@code xceiverCount}), readers with the block copies the NameNode ordered ({@code
 * xmitsInProgress}). What reads are decided by must not look idle while clients read.
 */
final class NicSampler implements LinkSampler {

  /** A DataNode's own server thread, which every heartbeat counts among its transfers. */
  private static final int IDLE_TRANSFERS = 1;

  /** How long a link and its speed are trusted: operators re-plug, bonds lose slaves. */
  private static final long LINK_VALID_MS = 60_000;

  /** How long to wait before looking again for a link that was not there. */
  private static final long RETRY_MS = 10_000;

  private final AgentConfig config;
  private final InterfaceLookup lookup;
  private final NetworkLinks links;
  private final NetDev netDev;
  private final DiskWrites disks;
  private final LongSupplier monotonicMs;

  /** Of {@link #counters}. */
  private final ForwardedBytes forwarded = new ForwardedBytes();

  private String address;
  private volatile String link;
  private long linkBytesPerSec;
  private String absence;
  private long lookAgainAtMs;

  NicSampler(
      AgentConfig config,
      HostFiles files,
      InterfaceLookup lookup,
      DiskWrites disks,
      LongSupplier monotonicMs) {
    this.config = config;
    this.lookup = lookup;
    this.links = new NetworkLinks(files);
    this.netDev = new NetDev(files);
    this.disks = disks;
    this.monotonicMs = monotonicMs;
  }

  @Override
  public LinkSample sample(HeartbeatRequestProto heartbeat)
      throws NothingToMeasureException, IOException {
    long nowMs = monotonicMs.getAsLong();
    String registered = heartbeat.getRegistration().getDatanodeID().getIpAddr();
    if (!registered.equals(address) || nowMs >= lookAgainAtMs) {
      find(registered, nowMs);
    }
    if (link == null) {
      throw new NothingToMeasureException(absence);
    }
    NetDev.Counters counters = netDev.counters(link);
    if (counters == null) {
      String gone = "network interface " + link + " does not exist";
      forget(gone, nowMs);
      throw new NothingToMeasureException(gone);
    }
    // Known where the plugin runs, which can see the DataNode's own counters.
    OwnTraffic traffic =
        StartedDataNodes.find(heartbeat.getRegistration().getDatanodeID().getDatanodeUuid());
    int transfers = Math.max(0, heartbeat.getXceiverCount() - IDLE_TRANSFERS);
    return new LinkSample(
        link,
        counters.rxBytes(),
        counters.txBytes(),
        linkBytesPerSec,
        disks.writtenBytes(),
        traffic == null ? 0 : traffic.bytesWritten(),
        traffic == null ? heartbeat.getXmitsInProgress() + transfers : traffic.readers(),
        traffic == null ? transfers : traffic.writers());
  }

  @Override
  public Optional<LinkCounters> counters(String datanodeUuid) throws IOException {
    String counted = link;
    NetDev.Counters counters = counted == null ? null : netDev.counters(counted);
    if (counters == null) {
      return Optional.empty();
    }
    long blocksReceived = LinkCounters.UNKNOWN;
    long blocksSent = LinkCounters.UNKNOWN;
    OwnTraffic traffic = StartedDataNodes.find(datanodeUuid);
    if (traffic != null) {
      traffic.attach();
      blocksReceived = traffic.bytesWritten();
      forwarded.advance(blocksReceived, traffic.packetsReceived(), traffic.downstreamAcks());
      blocksSent = traffic.bytesSent() + forwarded.total();
    }
    return Optional.of(
        new LinkCounters(
            counted, counters.rxBytes(), counters.txBytes(), blocksReceived, blocksSent));
  }

  private void find(String registered, long nowMs) throws IOException {
    address = registered;
    String name = config.interfaceName();
    if (name.isEmpty()) {
      name = lookup.carrying(registered);
    }
    if (name == null) {
      forget(
          "no network interface carries " + registered + "; name one in " + AgentKeys.INTERFACE,
          nowMs);
      return;
    }
    if (links.isLoopback(name)) {
      forget(
          registered
              + " is reached over the loopback interface, whose bytes say nothing about the"
              + " network; for several DataNodes in one process set dfs.datanode.plugins = "
              + AgentConfig.PLUGIN,
          nowMs);
      return;
    }
    link = links.under(name);
    linkBytesPerSec =
        config.linkBytesPerSec() > 0 ? config.linkBytesPerSec() : links.bytesPerSec(link);
    lookAgainAtMs = nowMs + LINK_VALID_MS;
  }

  private void forget(String reason, long nowMs) {
    link = null;
    absence = reason;
    lookAgainAtMs = nowMs + RETRY_MS;
  }
}
