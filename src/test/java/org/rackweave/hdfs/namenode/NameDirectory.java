package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;

/**
 * What a NameNode has on its disk at an instant, which is all that is left of it after {@code kill
 * -9}.
 */
final class NameDirectory {
  private final MiniDFSCluster cluster;
  private final Path live;
  private final Path copy;

  /**
   * @param copy where the copy is to be
   */
  NameDirectory(MiniDFSCluster cluster, Path copy) {
    this.cluster = cluster;
    this.copy = copy;
    live = Path.of(cluster.getNameDirs(0).iterator().next());
  }

  /** No order of the NameNode reaches a DataNode until it is started again. */
  static void muffle(MiniDFSCluster cluster, boolean isDeaf) {
    for (DataNode dataNode : cluster.getDataNodes()) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(dataNode, isDeaf);
    }
  }

  /** Keeps what there is now. */
  void keep() {
    try {
      delete(copy);
      copy(live, copy);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a NameNode from what was kept; everything it did since is lost. */
  void restart() throws IOException {
    cluster.shutdownNameNode(0);
    delete(live);
    copy(copy, live);
    muffle(cluster, false);
    cluster.restartNameNode(0, true);
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> all = Files.walk(directory)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    List<Path> all;
    try (Stream<Path> found = Files.walk(from)) {
      all = found.toList();
    }
    for (Path each : all) {
      if (!each.getFileName().toString().equals("in_use.lock")) {
        Files.copy(each, to.resolve(from.relativize(each)));
      }
    }
  }
}
