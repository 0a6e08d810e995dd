package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.rackweave.hdfs.eafr.FileLookup;

/** Files on the hot servers of a {@link SleepRig}'s cluster, and where their replicas are. */
final class MovedReplicas {
  /** The second server of each rack. */
  static final String STANDBY = "h1,h3,h5";

  static final int FACTOR = 3;

  private MovedReplicas() {}

  /** Writes files of a block each, with a replica on the hot server of every rack. */
  static List<Path> write(
      MiniDFSCluster cluster, DistributedFileSystem fs, String directory, int count)
      throws IOException {
    List<DataNode> datanodes = cluster.getDataNodes();
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Path file = new Path(directory + "/file" + i);
      SleepRig.writeTo(fs, file, datanodes.get(0), datanodes.get(2), datanodes.get(4));
      assertEquals(0, onStandby(cluster.getNameNode(0), file));
      files.add(file);
    }
    return files;
  }

  /** Of a file's block the DataNodes with a replica that is to stay. */
  private static List<DatanodeDescriptor> holders(NameNode nameNode, Path file) {
    FileLookup lookup = NameNodeBridge.of(nameNode).files();
    return lookup.replicas(lookup.fileAt(file.toUri().getPath()), 1).holders().get(0);
  }

  /** Replicas of a file's block on standby servers. */
  static int onStandby(NameNode nameNode, Path file) {
    Set<String> standby = Set.of(STANDBY.split(",", -1));
    return (int)
        holders(nameNode, file).stream()
            .filter(holder -> standby.contains(holder.getHostName()))
            .count();
  }

  /**
   * Whether files have as many replicas as they are to; never may one have fewer, or be on fewer
   * racks than {@code racksMin}.
   */
  static boolean areSettled(NameNode nameNode, List<Path> files, int racksMin) {
    boolean areSettled = true;
    for (Path file : files) {
      List<DatanodeDescriptor> holders = holders(nameNode, file);
      Set<String> racks = new HashSet<>();
      holders.forEach(holder -> racks.add(holder.getNetworkLocation()));
      assertTrue(
          holders.size() >= FACTOR && racks.size() >= racksMin, () -> file + " is on " + holders);
      areSettled &= holders.size() == FACTOR;
    }
    return areSettled;
  }

  /** Where replicas that are to stay are, for people. */
  static String describe(NameNode nameNode, List<Path> files) {
    return files.stream()
        .map(file -> holders(nameNode, file).stream().map(DatanodeDescriptor::getHostName).toList())
        .toList()
        .toString();
  }

  /** Whether only one replica of each file is left on a hot server, as {@link #areSettled}. */
  static boolean areMoved(NameNode nameNode, List<Path> files, int racksMin) {
    return areSettled(nameNode, files, racksMin)
        && files.stream().allMatch(file -> onStandby(nameNode, file) == FACTOR - 1);
  }
}
