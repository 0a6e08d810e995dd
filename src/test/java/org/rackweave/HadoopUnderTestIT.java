package org.rackweave;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;

/** The cluster tests' class path holds one whole Hadoop, of the version the build names. */
class HadoopUnderTestIT {

  @Test
  void runsOnTheHadoopThatTheBuildNames() {
    assertEquals(System.getProperty("rackweave.test.hadoop.version"), VersionInfo.getVersion());
  }

  @Test
  void startsAClusterThatStoresAFile() throws Exception {
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(new Configuration()).numDataNodes(2).build()) {
      Path file = new Path("/file");
      DFSTestUtil.writeFile(cluster.getFileSystem(), file, "bytes");
      assertEquals("bytes", DFSTestUtil.readFile(cluster.getFileSystem(), file));
    }
  }
}
