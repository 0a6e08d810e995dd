package org.rackweave.cli.testbed.compare.worker;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

  private final DistributedFileSystem files;
  private final int dataNodePort;

  /** Connects with the configuration files on the class path. */
  HdfsClient() throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.setInt(BlockWrite.LOCATEFOLLOWINGBLOCK_INITIAL_DELAY_MS_KEY, POLL_MS);
    conf.setInt(BlockWrite.LOCATEFOLLOWINGBLOCK_MAX_DELAY_MS_KEY, POLL_MS);
    conf.setInt(BlockWrite.LOCATEFOLLOWINGBLOCK_RETRIES_KEY, POLLS_MAX);
    this.files = (DistributedFileSystem) FileSystem.get(conf);
    this.dataNodePort =
        conf.getSocketAddr(
                DFSConfigKeys.DFS_DATANODE_ADDRESS_KEY,
                DFSConfigKeys.DFS_DATANODE_ADDRESS_DEFAULT,
                DFSConfigKeys.DFS_DATANODE_DEFAULT_PORT)
            .getPort();
    // The first call loads most classes of the client.
    files.getFileStatus(new Path("/"));
  }

  void write(Task.Write task) throws IOException {
    InetSocketAddress[] favored =
        task.favored().stream()
            .map(address -> new InetSocketAddress(address, dataNodePort))
            .toArray(InetSocketAddress[]::new);
    try (FSDataOutputStream out =
        files.create(
            new Path(task.path()),
            FsPermission.getFileDefault(),
            true,
            BUFFER_BYTES,
            REPLICATION,
            task.blockBytes(),
            null,
            favored.length == 0 ? null : favored)) {
      Content.write(task.path(), task.sizeBytes(), out);
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
