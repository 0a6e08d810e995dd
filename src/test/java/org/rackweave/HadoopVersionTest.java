package org.rackweave;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;

/** The build compiles against one Hadoop and tests on another: a mix of the two must not go by. */
class HadoopVersionTest {

  @Test
  void runsOnTheHadoopThatTheBuildNames() {
    assertEquals(System.getProperty("rackweave.test.hadoop.version"), VersionInfo.getVersion());
  }
}
