package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.RackweaveConfig;
import org.rackweave.hdfs.ear.AddBlockCall;
import org.rackweave.hdfs.namenode.PlacementContext;
import org.rackweave.placement.FallbackReason;
import org.rackweave.rules.RuleSet;
import org.rackweave.trial.Arm;
import org.rackweave.trial.ArmSamples;
import org.rackweave.trial.Canary;
import org.rackweave.trial.Canary.State;
import org.rackweave.trial.WriteTrials.Running;
import org.rackweave.trial.WriteTrials.Write;

/** Which blocks of a comparison are placed by whom, and which are timed. */
class TrialPlacementTest {
  private static final long MB = 1_000_000;
  private static final Canary CANARY =
      new Canary(State.RUNNING, "/tmp", 30, 1, 0, 0, "write_p95>+10%", "");

  private final FakeDataNodes cluster = new FakeDataNodes();
  private final PlacementContext context =
      cluster.racks(1, 1, 1, 1).start(90 * MB, 90 * MB, 0, 30 * MB);
  private RackweaveBlockPlacementPolicy policy = PolicyUnderTest.SINBAD.policy(cluster);
  private final ArmSamples samples = new ArmSamples();

  @AfterEach
  void close() {
    cluster.close();
  }

  private void compare(Mode mode, boolean isControl) {
    context.setModes(FeatureModes.all(Mode.SHADOW).with("placement=" + mode));
    context.trials().run(new Running(CANARY, samples, isControl));
  }

  /** What a new block of a file is timed for, {@code null} for nothing. */
  private Write write(String path, long fileId) {
    AddBlockCall call = AddBlockCall.begin(context.stripes()).forFile(fileId);
    try {
      assertEquals(1, place(path).length);
      return call.write();
    } finally {
      call.end();
    }
  }

  private DatanodeStorageInfo[] place(String path) {
    return policy.chooseTarget(
        path,
        1,
        null,
        new ArrayList<>(),
        false,
        new HashSet<>(),
        FakeDataNodes.BLOCK_BYTES,
        BlockStoragePolicySuite.createDefaultSuite().getDefaultPolicy(),
        EnumSet.noneOf(AddBlockFlag.class));
  }

  private static long fileOf(Arm arm) {
    Running any = new Running(CANARY, null, false);
    long file = 16_386;
    while (any.armOf("/tmp/a", file) != arm) {
      file++;
    }
    return file;
  }

  private long ours() {
    return context.metrics().decisionCount();
  }

  @Test
  void aCanaryPlacesItsFilesAndTimesAsManyOfStocks() {
    compare(Mode.SHADOW, false);
    Write ours = write("/tmp/a", fileOf(Arm.RACKWEAVE));
    assertEquals(1, ours());
    assertEquals(Arm.RACKWEAVE, ours.arm());
    assertNotNull(ours.record(), "what was expected is kept");
    Write stocks = write("/tmp/b", fileOf(Arm.STOCK));
    assertEquals(Arm.STOCK, stocks.arm());
    assertNull(stocks.record());
    assertEquals(FakeDataNodes.BLOCK_BYTES, stocks.wholeBytes());
    assertNull(write("/tmp/c", fileOf(null)), "takes no part");
    assertNull(write("/other", fileOf(Arm.RACKWEAVE)));
    assertEquals(1, ours());
    assertEquals(3, context.metrics().shadowDecisionCount(), "which goes on besides");
    assertEquals(3, context.metrics().fallbackCount(FallbackReason.SHADOW_MODE));
  }

  @Test
  void offIsOffAndActiveIsActive() {
    compare(Mode.OFF, false);
    assertNull(write("/tmp/a", fileOf(Arm.RACKWEAVE)));
    assertEquals(0, ours());
    context.setModes(FeatureModes.all(Mode.OFF));
    assertNull(write("/tmp/a", fileOf(Arm.RACKWEAVE)));
    assertEquals(0, ours());
    compare(Mode.ACTIVE, false);
    assertNull(write("/tmp/a", fileOf(Arm.STOCK)).samples());
    assertEquals(1, ours());
    policy = PolicyUnderTest.DAYU.policy(cluster);
    compare(Mode.SHADOW, false);
    assertNull(write("/tmp/a", fileOf(Arm.RACKWEAVE)), "a policy that does not place");
  }

  @Test
  void aRuleForTheDirectoryWins() {
    compare(Mode.SHADOW, false);
    RuleSet stock = RuleSet.NONE.with("/tmp/stock", RuleSet.words(List.of("place=stock")));
    context.setConfig(RackweaveConfig.from(cluster.conf, stock));
    assertNull(write("/tmp/stock/a", fileOf(Arm.RACKWEAVE)));
    assertEquals(0, ours());
    write("/tmp/a", fileOf(Arm.RACKWEAVE));
    assertEquals(1, ours());
  }

  @Test
  void stockPlacesTheControlShareOfActivePlacement() {
    compare(Mode.ACTIVE, true);
    assertEquals(Arm.STOCK, write("/tmp/a", fileOf(Arm.STOCK)).arm());
    assertEquals(0, ours());
    assertEquals(1, context.metrics().fallbackCount(FallbackReason.CONTROL));
    assertEquals(Arm.RACKWEAVE, write("/tmp/a", fileOf(Arm.RACKWEAVE)).arm());
    assertNull(write("/tmp/a", fileOf(null)).samples());
    assertEquals(2, ours());
    compare(Mode.SHADOW, true); // as yet, after a change of the mode
    assertNull(write("/tmp/a", fileOf(Arm.RACKWEAVE)));
    assertEquals(2, ours());
  }

  @Test
  void blocksThatClientsDoNotWriteTakeNoPart() {
    compare(Mode.ACTIVE, true);
    place("/tmp/a"); // as of WebHDFS or a bench: no call of a client's is being answered
    assertEquals(1, ours());
    assertEquals(0, context.metrics().fallbackCount(FallbackReason.CONTROL));
  }

  @Test
  void blocksOfStripesTakeNoPart() {
    cluster.conf.set(ConfiguredRules.CODES, "/tmp=rs-3-2");
    context.setConfig(RackweaveConfig.from(cluster.conf));
    policy = PolicyUnderTest.ALL.policy(cluster);
    context.setModes(FeatureModes.all(Mode.ACTIVE));
    context.trials().run(new Running(CANARY, samples, true));
    Write write = write("/tmp/a", fileOf(Arm.STOCK));
    assertNull(write == null ? null : write.samples());
    assertEquals(0, context.metrics().fallbackCount(FallbackReason.CONTROL));
  }
}
