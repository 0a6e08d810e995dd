package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;

/**
 * HDFS's file system, which reads blocks of encoded stripes also where no replica is left: name it
 * in {@code fs.hdfs.impl}. It is HDFS's in everything else, and with NameNodes that know nothing of
 * Rackweave.
 */
public class DegradedReadFileSystem extends DistributedFileSystem {
  /** Built by Hadoop through reflection. */
  public DegradedReadFileSystem() {}

  @Override
  void initDFSClient(URI nameNode, Configuration conf) throws IOException {
    dfs = new DegradedReadClient(nameNode, conf, statistics);
  }
}
