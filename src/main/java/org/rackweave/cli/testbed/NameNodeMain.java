package org.rackweave.cli.testbed;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * Starts Hadoop's own NameNode, formatted first where it has nothing stored yet: the same process
 * can do both, and a second Java virtual machine would take as long to start as the NameNode.
 */
final class NameNodeMain {

  private NameNodeMain() {}

  /** Takes the NameNode's own arguments. */
  public static void main(String[] args) throws Exception {
    Configuration conf = new HdfsConfiguration();
    for (URI directory : FSNamesystem.getNamespaceDirs(conf)) {
      if (!Files.exists(Path.of(directory).resolve("current"))) {
        NameNode.format(conf);
        // Or the NameNode finds the names of its metrics taken.
        DefaultMetricsSystem.shutdown();
      }
    }
    NameNode.main(args);
  }
}
