package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.degraded.Decoders;

/**
 * Bridge: HDFS's client, whose streams read blocks of encoded stripes also where no replica is
 * left. Striped files of HDFS's own it leaves alone.
 */
public final class DegradedReadClient extends DFSClient {
  /** A NameNode that knows nobody who decodes is not asked again for so long. */
  private static final long SILENCE_MS = 10_000;

  private volatile long nobodyAtMs = Long.MIN_VALUE;

  public DegradedReadClient(URI nameNode, Configuration conf, FileSystem.Statistics statistics)
      throws IOException {
    super(nameNode, conf, statistics);
  }

  @Override
  public DFSInputStream open(String path, int bufferBytes, boolean verifyChecksum)
      throws IOException {
    checkOpen();
    return stream(getLocatedBlocks(path, 0), path, verifyChecksum);
  }

  @Override
  public DFSInputStream open(HdfsPathHandle handle, int bufferBytes, boolean verifyChecksum)
      throws IOException {
    checkOpen();
    HdfsLocatedFileStatus file = getLocatedFileInfo(handle.getPath(), true);
    handle.verify(file);
    return stream(file.getLocatedBlocks(), handle.getPath(), verifyChecksum);
  }

  private DFSInputStream stream(LocatedBlocks blocks, String path, boolean verifyChecksum)
      throws IOException {
    if (blocks == null) {
      throw new IOException("Cannot open filename " + path);
    }
    return blocks.getErasureCodingPolicy() == null
        ? new DegradedReadStream(this, path, verifyChecksum, blocks)
        : new DFSStripedInputStream(
            this, path, verifyChecksum, blocks.getErasureCodingPolicy(), blocks);
  }

  /** DataNodes that decode blocks of a file; none with a NameNode that knows nothing of it. */
  List<DatanodeID> decoders(String path) {
    long nowMs = Time.monotonicNow();
    if (nobodyAtMs != Long.MIN_VALUE && nowMs - nobodyAtMs < SILENCE_MS) {
      return List.of();
    }
    List<DatanodeID> decoders = List.of();
    try {
      decoders = Decoders.decode(getXAttr(path, Decoders.ATTRIBUTE));
    } catch (IOException e) {
      LOG.debug("No DataNode decodes blocks of {}", path, e);
    }
    if (decoders.isEmpty()) {
      nobodyAtMs = nowMs;
    }
    return decoders;
  }

  InetSocketAddress addressOf(DatanodeID decoder) {
    return NetUtils.createSocketAddr(decoder.getXferAddr(getConf().isConnectToDnViaHostname()));
  }
}
