package org.rackweave.hdfs.namenode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.metrics.SentBytes;
import org.apache.hadoop.util.ToolRunner;
import org.rackweave.cli.demo.cluster.LoopbackAddresses;
import org.rackweave.cli.ear.EarCommand;
import org.rackweave.ear.StripeRules;
import org.rackweave.hdfs.AgentKeys;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.datanode.AddressedDataNodePlugin;
import org.rackweave.hdfs.datanode.ServedReads;

/**
 * Nine racks of two DataNodes that place for stripes and encode when an operator's command tells
 * them to; who reads from them is known by its address.
 */
final class EarRig implements AutoCloseable {
  static final int RACKS = 9;
  static final int NODES_PER_RACK = 2;
  static final int NODES = RACKS * NODES_PER_RACK;
  private static final int CHUNK_BYTES = 512;
  private static final int CHECKSUM_BYTES = 4;
  static final int[] NODES_BY_RACK = {2, 2, 2, 2, 2, 2, 2, 2, 2};

  private final RackCluster cluster;
  private final StripeRules rules;

  private EarRig(RackCluster cluster, StripeRules rules) {
    this.cluster = cluster;
    this.rules = rules;
  }

  static EarRig start(StripeRules rules) throws IOException {
    return start(rules, Map.of());
  }

  /**
   * @param more settings by key
   */
  static EarRig start(StripeRules rules, Map<String, String> more) throws IOException {
    Configuration conf = EarEncodingIT.conf();
    conf.set(ConfiguredRules.CODES, "/warehouse=" + rules.code().name());
    conf.set(ConfigKeys.PAPER, "ear.rack-limit=" + rules.rackLimit());
    conf.setInt(ConfigKeys.EAR_ENCODE_CONCURRENT, 0);
    conf.set(ConfigKeys.EAR_SEAL_AGE, "1d");
    conf.set(ConfigKeys.EAR_AUDIT_INTERVAL, "1s");
    conf.setInt(ConfigKeys.EAR_REPAIR_CONCURRENT, 32);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, 3);
    conf.set(AgentKeys.DECODE_ADDRESS, "127.0.0.1:0");
    conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, AddressedDataNodePlugin.class.getName());
    more.forEach(conf::set);
    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(NODES)
            .storagesPerDatanode(1)
            .racks(RackCluster.racks(NODES_BY_RACK))
            .dataNodeConfOverlays(overlays());
    return new EarRig(RackCluster.start(builder).awaitCoverage(), rules);
  }

  private static Configuration[] overlays() {
    Configuration[] overlays = new Configuration[NODES];
    for (int node = 0; node < NODES; node++) {
      overlays[node] = new Configuration(false);
      overlays[node].set(
          AddressedDataNodePlugin.ADDRESS,
          LoopbackAddresses.ofNode(node / NODES_PER_RACK, node % NODES_PER_RACK));
      // Only DataNodes: the NameNode takes whole seconds, and waits for ten of them.
      overlays[node].set(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, "200ms");
    }
    return overlays;
  }

  RackCluster cluster() {
    return cluster;
  }

  StripeRules rules() {
    return rules;
  }

  DistributedFileSystem fs() {
    try {
      return cluster.fs();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every stripe that has one of these files' blocks. */
  List<PlacedStripe> stripes(MixedFiles files) {
    try {
      return PlacedStripe.of(files.blocks(fs()), cluster.context().stripes().encoded(), fs());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs one of {@code bin/rackweave}'s commands, which has to succeed. */
  JsonNode run(BiFunction<PrintStream, PrintStream, EarCommand> command, String... args) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(said, true, StandardCharsets.UTF_8);
    try {
      java.nio.file.Path json = Files.createTempFile("figures", ".json");
      List<String> all = new ArrayList<>(List.of(args));
      all.addAll(List.of("--json", json.toString()));
      int exit = ToolRunner.run(fs().getConf(), command.apply(to, to), all.toArray(String[]::new));
      if (exit != 0) {
        throw new AssertionError(said.toString(StandardCharsets.UTF_8));
      }
      JsonNode figures = new ObjectMapper().readTree(json.toFile());
      Files.delete(json);
      return figures;
    } catch (Exception e) {
      throw new AssertionError(said.toString(StandardCharsets.UTF_8), e);
    }
  }

  /** Racks of DataNodes, by UUID. */
  Map<String, String> racks() {
    Map<String, String> racks = new HashMap<>();
    try {
      for (DatanodeInfo node : fs().getDataNodeStats()) {
        racks.put(node.getDatanodeUuid(), node.getNetworkLocation());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return racks;
  }

  static String rackOfReader(ServedReads.Read read) {
    return "/r" + LoopbackAddresses.rackOf(read.reader());
  }

  /** What DataNodes have on disk of finished blocks, as they themselves say. */
  long storedBytes() {
    long bytes = 0;
    for (var storages :
        cluster.mini().getAllBlockReports(cluster.mini().getNamesystem().getBlockPoolId())) {
      for (BlockListAsLongs replicas : storages.values()) {
        for (BlockListAsLongs.BlockReportReplica replica : replicas) {
          bytes += replica.getNumBytes();
        }
      }
    }
    return bytes;
  }

  /** Bytes that DataNodes have sent to readers since they started, by HDFS's own metrics. */
  long sentBytes() {
    return cluster.mini().getDataNodes().stream().mapToLong(SentBytes::of).sum();
  }

  /** What these metrics count for a block read once: its bytes, and a checksum for every chunk. */
  static long sentFor(long blockBytes) {
    long chunks = (blockBytes + CHUNK_BYTES - 1) / CHUNK_BYTES;
    return blockBytes + chunks * CHECKSUM_BYTES;
  }

  /** The same for a part of a block: DataNodes send whole chunks. */
  static long sentFor(long from, long to, long blockBytes) {
    long end = Math.min(blockBytes, (to + CHUNK_BYTES - 1) / CHUNK_BYTES * CHUNK_BYTES);
    return sentFor(end - from / CHUNK_BYTES * CHUNK_BYTES);
  }

  static long bytesOfLongest(List<LocatedBlock> blocks) {
    return blocks.stream().mapToLong(LocatedBlock::getBlockSize).max().orElse(0);
  }

  static long bytes(List<LocatedBlock> blocks) {
    return blocks.stream().mapToLong(LocatedBlock::getBlockSize).sum();
  }

  @Override
  public void close() {
    cluster.close();
  }
}
