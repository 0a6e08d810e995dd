package org.rackweave.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rackweave.dayu.Algorithm;
import org.rackweave.dayu.Brake;
import org.rackweave.dayu.DayuSettings;
import org.rackweave.dayu.RecoveryBandwidth;
import org.rackweave.dayu.Timeslot;
import org.rackweave.eafr.GuardRails;
import org.rackweave.eafr.PathRules;
import org.rackweave.eafr.ThresholdRule;
import org.rackweave.ear.EncodingTerms;
import org.rackweave.ear.PathCodes;
import org.rackweave.rules.PathTable;
import org.rackweave.rules.RuleSet;
import org.rackweave.sinbad.Spread;
import org.rackweave.telemetry.CollectorSettings;
import org.rackweave.telemetry.NetworkSettings;
import org.rackweave.telemetry.Promise;
import org.rackweave.telemetry.Smoothing;

/**
 * The configuration contract: every default pinned, every key documented, every bad value named.
 */
class RackweaveConfigTest {
  private static Configuration empty() {
    return new Configuration(false);
  }

  private static Configuration documented() {
    Configuration conf = new Configuration(false);
    conf.addResource("rackweave-default.xml");
    return conf;
  }

  @Test
  void pinsEveryDefault() {
    assertEquals(
        new RackweaveConfig(
            FeatureModes.all(Mode.SHADOW),
            10_000,
            null,
            250,
            0.5,
            new CollectorSettings(
                new Smoothing.InTime(1000, 3000), 15_000, 300_000, 600_000, 0, true),
            new NetworkSettings(0, 0, 0, 3000, 0.10, Promise.SHARE),
            Spread.TWO_RACK,
            64L << 20,
            3,
            PathTable.empty(),
            new EarConfig(
                false,
                PathCodes.of(RuleSet.NONE, new EncodingTerms(3_600_000, 0, 0))
                    .leaving("/.rackweave/parity"),
                new EarConfig.Forming(1, 0, 86_400_000),
                600_000,
                "/.rackweave/parity",
                0,
                0,
                8,
                2,
                600_000,
                60_000,
                60_000,
                EarConfig.Ranking.RANDOM),
            new EafrConfig(
                false,
                PathRules.of(RuleSet.NONE),
                120_000,
                0.5,
                1_000_000,
                15,
                true,
                ThresholdRule.RELATIVE,
                new GuardRails(
                    true, 3_600_000, 3_600_000, 1_200_000, 30_000, 1L << 40, 1000, 100, 3),
                0.3,
                0.5,
                10L << 30,
                false,
                new RolesConfig(
                    RolesConfig.Choice.OFF,
                    Set.of(),
                    Set.of(),
                    0.3,
                    0.3,
                    50,
                    "/.rackweave/roles",
                    "org.apache.hadoop.hdfs.server.blockmanagement.HostFileManager",
                    null,
                    60_000,
                    180_000,
                    3_600_000,
                    600_000,
                    604_800_000,
                    100_000),
                new RatesConfig(false, 0.2, 0.5, 0.1)),
            new DayuConfig(
                false,
                new DayuSettings(
                    Algorithm.DAYU,
                    DayuSettings.Rates.WSS,
                    DayuSettings.Stragglers.RESTART,
                    0.05,
                    1e6),
                new Timeslot(15, 0.5),
                RecoveryBandwidth.SCALED,
                new Brake(0.1, 60, 900),
                100_000,
                8,
                10_000)),
        RackweaveConfig.from(empty()));
  }

  @Test
  void documentsTheDefaultsThatTheCodeUses() {
    assertEquals(RackweaveConfig.from(empty()), RackweaveConfig.from(documented()));
  }

  @Test
  void theBlackBoxIsBesideTheImageUnlessSomebodyNamesAnotherPlace() {
    Configuration conf = empty();
    conf.set(
        DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, "qjournal://jn1/ns, file:///data/1/nn/, /data/2");
    assertEquals(Path.of("/data/1/nn-rackweave"), RackweaveConfig.from(conf).blackBoxes());
    conf.set(ConfigKeys.BLACK_BOX_DIRECTORY, "/var/box");
    assertEquals(Path.of("/var/box"), RackweaveConfig.from(conf).blackBoxes());
    conf.set(ConfigKeys.BLACK_BOX_DIRECTORY, "off");
    assertNull(RackweaveConfig.from(conf).blackBoxes());
  }

  /** HDFS's web server shows what is there. */
  @Test
  void theBlackBoxIsNotBelowTheLogs(@TempDir Path temporary) throws Exception {
    Path logs = Files.createDirectory(temporary.resolve("logs"));
    Path link = Files.createSymbolicLink(temporary.resolve("link"), logs);
    Configuration conf = empty();
    String before = System.setProperty("hadoop.log.dir", link.toString());
    try {
      for (Path box : List.of(link, logs.resolve("a/b"), link.resolve("../logs/a"))) {
        conf.set(ConfigKeys.BLACK_BOX_DIRECTORY, box.toString());
        String message =
            assertThrows(IllegalArgumentException.class, () -> RackweaveConfig.from(conf))
                .getMessage();
        assertTrue(message.startsWith(ConfigKeys.BLACK_BOX_DIRECTORY + " = '" + box), message);
        assertTrue(message.contains("allowed is an absolute path that is not below"), message);
      }
      conf.set(ConfigKeys.BLACK_BOX_DIRECTORY, temporary.resolve("logs2").toString());
      assertEquals(temporary.resolve("logs2"), RackweaveConfig.from(conf).blackBoxes());
      conf.unset(ConfigKeys.BLACK_BOX_DIRECTORY);
      conf.set(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, logs.resolve("nn").toString());
      assertNull(RackweaveConfig.from(conf).blackBoxes());
    } finally {
      if (before == null) {
        System.clearProperty("hadoop.log.dir");
      } else {
        System.setProperty("hadoop.log.dir", before);
      }
    }
  }

  @Test
  void documentsWhereEachNumberComesFrom() throws Exception {
    Pattern number =
        Pattern.compile(
            "<name>([^<]*)</name>\\s*<value>[0-9.]+[a-z]*</value>\\s*<description>([^<]*)<");
    Matcher each = number.matcher(Files.readString(Path.of("conf/rackweave-default.xml")));
    Pattern source =
        Pattern.compile(".*\\[(Sinbad|EAR|Dayu|EAFR|HDFS|measured|ours)\\b[^]]*]", Pattern.DOTALL);
    int numbers = 0;
    while (each.find()) {
      assertTrue(source.matcher(each.group(2)).matches(), each.group(1));
      numbers++;
    }
    assertTrue(numbers > 40, numbers + " numbers");
  }

  @Test
  void documentsEveryKeyAndNoOther() throws Exception {
    Set<String> documented = new TreeSet<>();
    for (Map.Entry<String, String> entry : documented()) {
      if (!entry.getKey().startsWith("rackweave.agent.")
          && !entry.getKey().startsWith("rackweave.erasure.")) {
        documented.add(entry.getKey());
      }
    }
    assertEquals(constants(), documented);
  }

  private static Set<String> constants() {
    return Arrays.stream(ConfigKeys.class.getDeclaredFields())
        .filter(field -> Modifier.isPublic(field.getModifiers()))
        .map(RackweaveConfigTest::value)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String value(Field field) {
    try {
      return (String) field.get(null);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aDeclaredNumberStandsInPlaceOfWhatIsMeasured() {
    Configuration conf = empty();
    conf.set("rackweave.network.host.bytes-per-sec", "5e8");
    conf.set("rackweave.network.rack.oversubscription", "1");
    conf.set("rackweave.network.disk-write.bytes-per-sec", "1e8");
    conf.set("rackweave.paper", "dayu.min.bytes-per-sec=2e7");
    RackweaveConfig config = RackweaveConfig.from(conf);
    assertEquals(5e8, config.collector().hostBytesPerSec());
    assertEquals(new NetworkSettings(0, 1, 1e8, 3000, 0.10, Promise.SHARE), config.network());
    assertEquals(new RecoveryBandwidth(0.75, 2e7, 0.25), config.dayu().bandwidth());
  }

  @Test
  void mapsEveryKey() {
    for (String key : constants()) {
      Configuration conf = empty();
      conf.set(key, "nonsense");
      IllegalArgumentException error =
          assertThrows(IllegalArgumentException.class, () -> RackweaveConfig.from(conf), () -> key);
      assertTrue(error.getMessage().startsWith(key + " = 'nonsense': allowed is "));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "rackweave.black-box.directory, logs/rackweave",
    "rackweave.snapshot.interval, 5ms",
    "rackweave.snapshot.interval, 2m",
    "rackweave.telemetry.coverage.min, NaN",
    "rackweave.telemetry.coverage.min, -0.1",
    "rackweave.network.rack.oversubscription, 0.5",
    "rackweave.network.host.bytes-per-sec, 0",
    "rackweave.sinbad.spread, three-rack",
    "rackweave.mode, on",
    "rackweave.ear.paths, warehouse=rs-6-3",
    "rackweave.ear.rack-limit, 0",
    "rackweave.ear.seal.age, 10ms",
    "rackweave.ear.ranking, best",
    "rackweave.ear.parity.directory, relative/path",
    "rackweave.ear.parity.directory, /",
    "rackweave.ear.parity.directory, /.reserved/raw",
    "rackweave.ear.encode.concurrent, -1",
    "rackweave.ear.encode.bytes-per-sec, -1",
    "rackweave.ear.encode.quiet, -1s",
    "rackweave.ear.encode.age, 366d",
    "rackweave.ear.encode.size.min, -1",
    "rackweave.ear.repair.concurrent, 1001",
    "rackweave.ear.margin, 256",
    "rackweave.ear.audit.interval, 10ms",
    "rackweave.ear.change.wait, 11m",
    "rackweave.ear.safe-mode.grace, 0s",
    "rackweave.dayu.enabled, perhaps",
    "rackweave.dayu.timeslot, 500ms",
    "rackweave.dayu.alpha, 0",
    "rackweave.dayu.alpha, 1.1",
    "rackweave.dayu.min.bytes-per-sec, -1",
    "rackweave.dayu.min.bytes-per-sec, NaN",
    "rackweave.dayu.min.share, 2",
    "rackweave.dayu.beta, -0.1",
    "rackweave.dayu.blocks.max, 0",
    "rackweave.dayu.streams.max, 0",
    "rackweave.dayu.streams.max, 401",
    "rackweave.dayu.claim, 10ms",
    "rackweave.dayu.brake.share, 1.5",
    "rackweave.dayu.brake.window, 2h",
    "rackweave.dayu.brake.grace, 2d",
    "rackweave.eafr.paths, warehouse=adapt",
    "rackweave.eafr.paths, /warehouse=always",
    "rackweave.eafr.paths, /warehouse=adapt r=1 epsilon=1",
    "rackweave.eafr.paths, /warehouse=adapt max=513",
    "rackweave.eafr.paths, /warehouse=adapt least=2",
    "rackweave.eafr.paths, /warehouse=none r=2",
    "rackweave.eafr.interval, 0s",
    "rackweave.eafr.decay, 1",
    "rackweave.eafr.tracked-files, 0",
    "rackweave.eafr.capacity, 0",
    "rackweave.eafr.tau-lower, 20",
    "rackweave.eafr.tau-lower, 0",
    "rackweave.eafr.sigma-lower, 8.5",
    "rackweave.eafr.gamma-reads, 1",
    "rackweave.eafr.gamma-servers, 0",
    "rackweave.eafr.tau-load, 1.5",
    "rackweave.eafr.budget.bytes, -1",
    "rackweave.eafr.in-flight.max, 1000001",
    "rackweave.eafr.changes.max, 0",
    "rackweave.eafr.dwell, -1s",
    "rackweave.eafr.sources.enabled, perhaps",
    "rackweave.eafr.rates.enabled, perhaps",
    "rackweave.eafr.rates.eta-lower, 0.5",
    "rackweave.eafr.rates.eta-lower, 0",
    "rackweave.eafr.rates.eta-upper, 1",
    "rackweave.eafr.rates.least-share, 0",
    "rackweave.eafr.roles, some",
    "rackweave.eafr.roles.standby, host1",
    "rackweave.eafr.roles.standby.share, 1",
    "rackweave.eafr.roles.cold.share, -0.1",
    "rackweave.eafr.roles.directory, relative",
    "rackweave.eafr.power.command, ipmitool power",
    "rackweave.eafr.power.timeout, 0",
    "rackweave.eafr.sleep.settle, 2d",
    "rackweave.eafr.wake.timeout, 1s",
    "rackweave.eafr.verify.interval, 1s",
    "rackweave.eafr.late-updates.max, 0",
    "rackweave.eafr.alpha, 1",
    "rackweave.eafr.beta, 1.1",
  })
  void namesKeyValueAndRangeOfABadValue(String key, String value) {
    Configuration conf = empty();
    conf.set(key, value);
    String message =
        assertThrows(IllegalArgumentException.class, () -> RackweaveConfig.from(conf)).getMessage();
    assertTrue(message.contains(key) && message.contains(value), message);
    assertTrue(message.matches(".*allowed is .+"), message);
  }

  @Test
  void stripeRulesMustFitEveryCode() {
    Configuration conf = empty();
    conf.set(ConfiguredRules.CODES, "/a=rs-10-4, /b=rs-6-3");
    conf.set(ConfigKeys.PAPER, "ear.rack-limit=4");
    String message =
        assertThrows(IllegalArgumentException.class, () -> RackweaveConfig.from(conf)).getMessage();
    assertTrue(message.contains("rs-6-3 keeps 1 to 3 blocks in a rack, not 4"), message);
    conf.set(ConfigKeys.PAPER, "ear.rack-limit=3");
    assertEquals(2, RackweaveConfig.from(conf).ear().paths().codes().size());
  }

  @Test
  void thresholdsKeepTheirOrderWhicheverOfThemIsSet() {
    Configuration conf = empty();
    conf.set(PaperConstants.EAFR_TAU_UPPER, "5");
    String message =
        assertThrows(IllegalArgumentException.class, () -> RackweaveConfig.from(conf)).getMessage();
    assertEquals(
        "rackweave.paper eafr.tau-lower = '10.0': allowed is a number above 0 and below"
            + " rackweave.eafr.tau-upper = '5.0'",
        message);
    conf.set(PaperConstants.EAFR_TAU_LOWER, "4");
    assertEquals(4, RackweaveConfig.from(conf).eafr().thresholds().bounds().tauLower());
  }

  @Test
  void thresholdsAreSharesUnlessSomebodyHasSetReads() {
    Configuration conf = empty();
    assertTrue(RackweaveConfig.from(conf).eafr().thresholds().areShares());
    conf.set(PaperConstants.EAFR_THRESHOLDS, "reads");
    assertEquals(ThresholdRule.PAPER, RackweaveConfig.from(conf).eafr().thresholds());

    conf = empty();
    conf.set(PaperConstants.EAFR_TAU_UPPER, "30");
    ThresholdRule set = RackweaveConfig.from(conf).eafr().thresholds();
    assertFalse(set.areShares());
    assertEquals(10, set.bounds().tauLower(), "the paper's");
    assertEquals(600_000, RackweaveConfig.from(conf).eafr().intervalMs(), "as it was for these");
  }

  @Test
  void aShareIsOneAtMost() {
    Configuration conf = empty();
    conf.set(PaperConstants.EAFR_THRESHOLDS, "shares");
    conf.set(PaperConstants.EAFR_TAU_UPPER, "20");
    assertEquals(
        "rackweave.eafr.tau-upper = '20': allowed is a number from 1.0E-6 to 1.0",
        assertThrows(IllegalArgumentException.class, () -> RackweaveConfig.from(conf))
            .getMessage());
  }

  @Test
  void rulesGiveNoFactorThatHdfsWouldRefuse() {
    Configuration conf = empty();
    conf.set(ConfiguredRules.HEAT, "/a=adapt r=2 max=6");
    conf.set("dfs.replication.max", "5");
    String message =
        assertThrows(IllegalArgumentException.class, () -> RackweaveConfig.from(conf)).getMessage();
    assertTrue(message.startsWith("rules /a heat=adapt min=2 hot=1 max=6: allowed is"), message);
    assertTrue(message.endsWith("dfs.replication.max = '5'"), message);
    conf.set("dfs.replication.max", "6");
    conf.set("dfs.namenode.replication.min", "3");
    assertThrows(IllegalArgumentException.class, () -> RackweaveConfig.from(conf));
    conf.set("dfs.namenode.replication.min", "2");
    assertTrue(RackweaveConfig.from(conf).eafr().isOn());
  }

  @Test
  void ownFactorsCannotBeKeptWithoutExtendedAttributes() {
    Configuration conf = empty();
    conf.set("dfs.namenode.xattrs.enabled", "false");
    assertFalse(RackweaveConfig.from(conf).eafr().isOn());
    conf.set(ConfiguredRules.HEAT, "/a=adapt");
    String message =
        assertThrows(IllegalArgumentException.class, () -> RackweaveConfig.from(conf)).getMessage();
    assertTrue(message.startsWith("dfs.namenode.xattrs.enabled = 'false'"), message);
  }

  @Test
  void deepestDirectoryDecidesWhetherAFileFollowsItsReaders() {
    Configuration conf = empty();
    conf.set(ConfiguredRules.HEAT, "/=adapt max=4, /logs=adapt r=2, /logs/raw=none");
    EafrConfig eafr = RackweaveConfig.from(conf).eafr();
    assertTrue(eafr.isOn());
    assertEquals(4, eafr.paths().of("/other/file").orElseThrow().maxReplicas());
    assertEquals(2, eafr.paths().of("/logs/file").orElseThrow().minReplicas());
    assertEquals(Optional.empty(), eafr.paths().of("/logs/raw/file"));
    assertEquals(4, eafr.paths().of("/logsraw").orElseThrow().maxReplicas());
    assertTrue(eafr.paths().anyBelowOwnFactor());
  }

  private static Configuration withRoles() {
    Configuration conf = empty();
    conf.set(ConfigKeys.EAFR_ROLES, "named");
    conf.set("dfs.namenode.hosts.provider.classname", RolesConfig.HOSTS_PROVIDER);
    conf.set(
        "dfs.block.replicator.classname",
        "org.apache.hadoop.hdfs.server.blockmanagement.EafrBlockPlacementPolicy");
    return conf;
  }

  @Test
  void rolesNeedWhatKeepsSleepingServersFromBeingTakenForFailed() {
    RolesConfig roles = RackweaveConfig.from(withRoles()).eafr().roles();
    assertTrue(roles.isOn());
    assertTrue(RackweaveConfig.from(withRoles()).eafr().isOn());
    refusesRoles(
        "dfs.namenode.hosts.provider.classname",
        "org.apache.hadoop.hdfs.server.blockmanagement.CombinedHostFileManager");
    refusesRoles("dfs.block.replicator.classname", "some.other.Policy");
    refusesRoles("dfs.namenode.maintenance.replication.min", "0");
  }

  private static void refusesRoles(String key, String value) {
    Configuration conf = withRoles();
    conf.set(key, value);
    String message =
        assertThrows(IllegalArgumentException.class, () -> RackweaveConfig.from(conf)).getMessage();
    assertTrue(message.startsWith(key + " = '" + value + "': allowed is "), message);
  }

  @Test
  void aHostHasOneRole() {
    Configuration conf = withRoles();
    conf.set(ConfigKeys.EAFR_ROLES_STANDBY, "a, b:9866");
    conf.set(ConfigKeys.EAFR_ROLES_COLD, "c");
    assertEquals(Set.of("a", "b:9866"), RackweaveConfig.from(conf).eafr().roles().standby());
    conf.set(ConfigKeys.EAFR_ROLES_COLD, "c, a");
    String message =
        assertThrows(IllegalArgumentException.class, () -> RackweaveConfig.from(conf)).getMessage();
    assertTrue(message.startsWith("rackweave.eafr.roles.cold = 'c, a': allowed is"), message);
  }

  @Test
  void aServerIsWokenToVerifyBeforeHdfsCeasesToWaitForIt() {
    Configuration conf = withRoles();
    conf.set(ConfigKeys.EAFR_INTERVAL, "10m");
    conf.set(ConfigKeys.EAFR_WAKE_TIMEOUT, "5m");
    conf.set(ConfigKeys.EAFR_VERIFY_INTERVAL, "15m");
    String message =
        assertThrows(IllegalArgumentException.class, () -> RackweaveConfig.from(conf)).getMessage();
    assertEquals(
        "rackweave.eafr.verify.interval = '900000 ms': allowed is more than"
            + " rackweave.eafr.interval and rackweave.eafr.wake.timeout in sum, which is 900000 ms",
        message);
    conf.set(ConfigKeys.EAFR_VERIFY_INTERVAL, "901s");
    assertEquals(901_000, RackweaveConfig.from(conf).eafr().roles().verifyIntervalMs());
  }

  @Test
  void halfOfThePlacesThatHdfsHasForServersThatLeaveAreTheOperators() {
    Configuration conf = withRoles();
    String key = "dfs.namenode.decommission.max.concurrent.tracked.nodes";
    conf.set(key, "7");
    assertEquals(3, RackweaveConfig.from(conf).eafr().roles().asleepMax());
    conf.set(key, "0");
    assertEquals(Integer.MAX_VALUE, RackweaveConfig.from(conf).eafr().roles().asleepMax());
  }

  @Test
  void settlingLastsAsLongAsAStandbyNeedsToReadTheLog() {
    Configuration conf = withRoles();
    conf.set("dfs.ha.log-roll.period", "30s");
    conf.set("dfs.ha.tail-edits.period", "5");
    assertEquals(35_000, RackweaveConfig.from(conf).eafr().roles().settleMs());
  }

  @Test
  void readsDurationsWithUnits() {
    Configuration conf = empty();
    conf.set(ConfigKeys.STALE_INTERVAL, "1m");
    conf.set(ConfigKeys.SNAPSHOT_INTERVAL, "100");
    RackweaveConfig config = RackweaveConfig.from(conf);
    assertEquals(60_000, config.collector().staleAfterMs());
    assertEquals(100, config.snapshotIntervalMs());
  }

  @Test
  void hearsALinkAgainBeforeItCountsAsSilent() {
    Configuration conf = empty();
    conf.set("dfs.heartbeat.interval", "20");
    assertEquals(60_000, RackweaveConfig.from(conf).collector().staleAfterMs());
    conf.set(ConfigKeys.STALE_INTERVAL, "19s");
    String message =
        assertThrows(IllegalArgumentException.class, () -> RackweaveConfig.from(conf)).getMessage();
    assertTrue(message.contains("a duration from 20000ms"), message);
  }

  @Test
  void followsTheHeartbeatIntervalAndBlockSizeOfHdfs() {
    Configuration conf = empty();
    conf.set("dfs.heartbeat.interval", "1");
    conf.set("dfs.blocksize", "256m");
    RackweaveConfig config = RackweaveConfig.from(conf);
    assertEquals(1000, config.network().updateIntervalMs());
    assertEquals(128L << 20, config.thresholdBytes());
  }
}
