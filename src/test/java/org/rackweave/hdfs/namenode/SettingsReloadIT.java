package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.admin.ReloadCommand;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.RackweaveConfig;
import org.rackweave.hdfs.eafr.EafrAdmin;
import org.slf4j.event.Level;

/** Settings that an operator edits in the files of a running NameNode. */
@Tag("newest-hadoop")
class SettingsReloadIT {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int reload(RackCluster cluster) throws IOException {
    ReloadCommand command =
        new ReloadCommand(new PrintStream(out, true), new PrintStream(err, true));
    Configuration conf = new Configuration();
    conf.set(FileSystem.FS_DEFAULT_NAME_KEY, cluster.fs().getUri().toString());
    command.setConf(conf);
    out.reset();
    err.reset();
    return command.run(new String[0]);
  }

  private static String of(ByteArrayOutputStream said) {
    return said.toString(StandardCharsets.UTF_8);
  }

  private static String eafrStatus(RackCluster cluster) throws IOException {
    return cluster
        .mini()
        .getNameNodeRpc()
        .refresh(EafrAdmin.IDENTIFIER, new String[] {"status"})
        .iterator()
        .next()
        .getMessage();
  }

  @Test
  void filesThatAreEditedAreInForceWithoutARestart() throws Exception {
    Configuration conf = EafrRig.conf();
    try (SiteOverlay site = new SiteOverlay()) {
      site.set(
          DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, conf.get(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY));
      for (Map.Entry<String, String> setting : conf) {
        if (setting.getKey().startsWith("rackweave.")) {
          site.set(setting.getKey(), setting.getValue());
        }
      }
      try (RackCluster cluster = RackCluster.start(conf, 1)) {
        site.set(ConfigKeys.EAFR_IN_FLIGHT_MAX, "12")
            .set(ConfigKeys.EAFR_CAPACITY, "3")
            .set(ConfigKeys.COVERAGE_MIN, "0.9")
            .set(ConfigKeys.SNAPSHOT_INTERVAL, "200ms")
            .set(ConfigKeys.MODE, "shadow");
        GenericTestUtils.setLogLevel(FSNamesystem.AUDIT_LOG, Level.INFO);
        LogCapturer audit = LogCapturer.captureLogs(FSNamesystem.AUDIT_LOG);
        try {
          assertEquals(0, reload(cluster), () -> of(err));
        } finally {
          audit.stopCapturing();
          GenericTestUtils.setLogLevel(FSNamesystem.AUDIT_LOG, Level.ERROR);
        }

        String answer = of(out);
        assertTrue(
            Pattern.compile("rackweave.telemetry.coverage.min +0.5 +0.9 +-\n")
                .matcher(answer)
                .find(),
            answer);
        assertTrue(
            Pattern.compile("rackweave.snapshot.interval +50ms +200ms +at a restart: the timer")
                .matcher(answer)
                .find(),
            answer);
        assertTrue(audit.getOutput().contains("cmd=rackweaveReload"), audit.getOutput());
        RackweaveConfig now = cluster.context().config();
        assertEquals(0.9, now.coverageMin());
        assertEquals(50, now.snapshotIntervalMs());
        String status = eafrStatus(cluster);
        assertTrue(Pattern.compile("in_flight_max\\W+12\\b").matcher(status).find(), status);
        assertEquals(FeatureModes.all(Mode.SHADOW), cluster.context().modes());

        site.set(ConfigKeys.COVERAGE_MIN, "0.1").set(ConfigKeys.DAYU_STREAMS_MAX, "401");
        assertEquals(1, reload(cluster));
        assertTrue(of(err).contains("rackweave.dayu.streams.max = '401'"), of(err));
        assertSame(now, cluster.context().config());
      }
    }
  }
}
