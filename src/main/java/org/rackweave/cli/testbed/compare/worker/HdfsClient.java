package org.rackweave.cli.testbed.compare.worker;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys.BlockWrite;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.io.IOUtils;
import org.rackweave.ear.ErasureCode;
import org.rackweave.erasure.BlockCoding;
import org.rackweave.hdfs.datanode.CodingPool;
import org.rackweave.hdfs.erasure.CoderSelection;
import org.rackweave.hdfs.erasure.ErasureConfig;

/** What a worker does with files. */
final class HdfsClient implements Closeable {

  /** Nobody in particular: a write, or a file without bytes. */
  static final String NOBODY = "-";

  /**
   * A file is closed when the NameNode has heard of its last block. A client asks again and again,
   * in HDFS after 0.4 s, 0.8 s and so on, which would be most of what is measured of a short write.
   */
  private static final int POLL_MS = 20;

  private static final int POLLS_MAX = 3000;

  private static final int BUFFER_BYTES = 64 << 10;
  private static final short REPLICATION = 3;

  private static final Path ROOT = new Path("/");
  private static final int CHUNK_BYTES = 256 << 10;

  private final DistributedFileSystem files;
  private final CodingPool codings;
  private final int dataNodePort;

  /** Connects with the configuration files on the class path. */
  HdfsClient() throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.setInt(BlockWrite.LOCATEFOLLOWINGBLOCK_INITIAL_DELAY_MS_KEY, POLL_MS);
    conf.setInt(BlockWrite.LOCATEFOLLOWINGBLOCK_MAX_DELAY_MS_KEY, POLL_MS);
    conf.setInt(BlockWrite.LOCATEFOLLOWINGBLOCK_RETRIES_KEY, POLLS_MAX);
    this.files = (DistributedFileSystem) FileSystem.get(conf);
    this.codings = new CodingPool(CoderSelection.of(ErasureConfig.from(conf)), 1, CHUNK_BYTES);
    this.dataNodePort =
        conf.getSocketAddr(
                DFSConfigKeys.DFS_DATANODE_ADDRESS_KEY,
                DFSConfigKeys.DFS_DATANODE_ADDRESS_DEFAULT,
                DFSConfigKeys.DFS_DATANODE_DEFAULT_PORT)
            .getPort();
    // The first call loads most classes of the client.
    files.getFileStatus(ROOT);
  }

  void write(Task.Write task) throws IOException {
    try (FSDataOutputStream out =
        create(task.path(), REPLICATION, task.blockBytes(), task.favored())) {
      Content.write(task.path(), task.sizeBytes(), out);
    }
  }

  /**
   * @param favored addresses of the DataNodes the NameNode is asked to take; empty for its own
   *     choice
   */
  private FSDataOutputStream create(
      String path, short replication, long blockBytes, List<String> favored) throws IOException {
    InetSocketAddress[] addresses =
        favored.stream()
            .map(address -> new InetSocketAddress(address, dataNodePort))
            .toArray(InetSocketAddress[]::new);
    return files.create(
        new Path(path),
        FsPermission.getFileDefault(),
        true,
        BUFFER_BYTES,
        replication,
        blockBytes,
        null,
        addresses.length == 0 ? null : addresses);
  }

  /**
   * Reads the blocks of a stripe from the replicas that are nearest, and writes its parity, with
   * the coder and the check of DataNodes that encode.
   *
   * @return bytes of data
   */
  long encode(String code, Task.Stripe stripe) throws IOException {
    BlockCoding coding = codings.take(ErasureCode.named(code));
    List<Closeable> open = new ArrayList<>();
    try {
      BlockCoding.Source[] data = new BlockCoding.Source[stripe.data().size()];
      long bytes = 0;
      for (int i = 0; i < data.length; i++) {
        HdfsDataInputStream in = (HdfsDataInputStream) files.open(new Path(stripe.data().get(i)));
        open.add(in);
        data[i] = new BlockCoding.Source(Channels.newChannel(in), in.getVisibleLength());
        bytes += in.getVisibleLength();
      }
      List<FSDataOutputStream> parity = new ArrayList<>();
      for (int i = 0; i < stripe.parity().size(); i++) {
        List<String> target = List.of(stripe.targets().get(i));
        FSDataOutputStream out =
            create(stripe.parity().get(i), (short) 1, files.getDefaultBlockSize(ROOT), target);
        open.add(out);
        parity.add(out);
      }
      coding.encode(
          data,
          parity.stream().map(Channels::newChannel).toArray(WritableByteChannel[]::new),
          ThreadLocalRandom.current(),
          done -> {});
      for (FSDataOutputStream out : parity) {
        out.close();
      }
      return bytes;
    } finally {
      codings.giveBack(coding);
      for (Closeable one : open) {
        one.close();
      }
    }
  }

  /** What was read and from whom. */
  record Served(long sizeBytes, String server) {}

  /**
   * Reads a file and compares it with what was written to {@code origin}.
   *
   * @return with the DataNode that sent the end of it
   */
  Served read(String path, String origin) throws IOException {
    try (FSDataInputStream in = files.open(new Path(path), BUFFER_BYTES)) {
      long size = Content.verify(origin, in);
      DatanodeInfo server =
          in instanceof HdfsDataInputStream hdfs ? hdfs.getCurrentDatanode() : null;
      return new Served(size, server == null ? NOBODY : server.getIpAddr());
    }
  }

  /** Copies the files of a directory one after the other and returns the sum of their lengths. */
  long copyAll(String from, String to) throws IOException {
    long size = 0;
    for (String path : list(from)) {
      Path source = new Path(path);
      try (InputStream in = files.open(source, BUFFER_BYTES);
          FSDataOutputStream out = files.create(new Path(to, source.getName()), true)) {
        IOUtils.copyBytes(in, out, BUFFER_BYTES);
        size += out.getPos();
      }
    }
    return size;
  }

  /** The files of a directory, in the order of their names. */
  List<String> list(String directory) throws IOException {
    List<String> paths = new ArrayList<>();
    for (FileStatus file : files.listStatus(new Path(directory))) {
      paths.add(file.getPath().toUri().getPath());
    }
    String[] sorted = paths.toArray(String[]::new);
    Arrays.sort(sorted);
    return List.of(sorted);
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
