package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.ipc.RefreshResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.Placing;
import org.rackweave.hdfs.RackweaveConfig;
import org.rackweave.hdfs.rules.RulesAdmin;

/** What directories want is kept in the namespace. */
@Tag("newest-hadoop")
class RulesIT {
  private static final ErasureCode CODE = new ErasureCode(3, 2);

  private static String say(NameNode nameNode, String... words) throws Exception {
    RefreshResponse answer = answer(nameNode, words);
    assertEquals(0, answer.getReturnCode(), answer.getMessage());
    return new ObjectMapper().readTree(answer.getMessage()).toString().replace('"', '\'');
  }

  private static RefreshResponse answer(NameNode nameNode, String... words) throws Exception {
    return nameNode.getRpcServer().refresh(RulesAdmin.IDENTIFIER, words).iterator().next();
  }

  private static Optional<ErasureCode> code(NameNode nameNode, String path) {
    return RackCluster.contextOf(nameNode).config().ear().paths().of(path);
  }

  @Test
  void aRuleFollowsItsDirectoryAndEndsWithIt() throws Exception {
    try (RackCluster cluster = RackCluster.start(RackCluster.conf(), 1)) {
      NameNode nameNode = cluster.mini().getNameNode();
      DistributedFileSystem fs = cluster.fs();
      fs.mkdirs(new Path("/a/b"));
      say(nameNode, "set", "/a", "code=rs-3-2", "heat=adapt", "max=6");
      assertEquals(Optional.of(CODE), code(nameNode, "/a/b/file"), "at once");
      say(nameNode, "set", "/a/b", "code=none");
      assertEquals(Optional.empty(), code(nameNode, "/a/b/file"));
      assertEquals(6, heat(nameNode, "/a/b/file"), "which is inherited by itself");

      fs.rename(new Path("/a"), new Path("/c"));
      RackCluster.await(
          "the rule to be there", () -> code(nameNode, "/c/file").equals(Optional.of(CODE)));
      assertEquals(Optional.empty(), code(nameNode, "/c/b/file"));
      assertEquals(Optional.empty(), code(nameNode, "/a/file"));
      fs.mkdirs(new Path("/a"));
      assertEquals(
          "{'rules':[{'path':'/c','code':'rs-3-2','heat':'adapt','max':'6'},"
              + "{'path':'/c/b','code':'none'}]}",
          say(nameNode, "list"));

      fs.allowSnapshot(new Path("/c"));
      fs.createSnapshot(new Path("/c"), "kept"); // of which inodes stay
      fs.delete(new Path("/c/b"), true);
      RackCluster.await(
          "the rule to end", () -> code(nameNode, "/c/b/file").equals(Optional.of(CODE)));
      fs.mkdirs(new Path("/c/b"));
      assertEquals("{'rules':[]}", say(nameNode, "get", "/c/b"), "another directory of that name");
      say(nameNode, "remove", "/c", "code");
      assertEquals(
          "{'rules':[{'path':'/c','heat':'adapt','max':'6'}]}", say(nameNode, "get", "/c"));
      say(nameNode, "remove", "/c");
      assertEquals("{'rules':[]}", say(nameNode, "list"));
      assertNull(fs.getXAttrs(new Path("/")).get("trusted.rackweave.rules"));
    }
  }

  private static int heat(NameNode nameNode, String path) {
    RackweaveConfig config = RackCluster.contextOf(nameNode).config();
    return config.eafr().paths().of(path).orElseThrow().maxReplicas();
  }

  @Test
  void everyNameNodeHasThemAfterAFailoverAndARestart() throws Exception {
    Configuration conf = RackCluster.conf();
    conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    try (RackCluster cluster =
        RackCluster.startHa(
            new MiniDFSCluster.Builder(conf)
                .numDataNodes(1)
                .nnTopology(MiniDFSNNTopology.simpleHATopology()))) {
      MiniDFSCluster mini = cluster.mini();
      try (var fs = HATestUtil.configureFailoverFs(mini, conf)) {
        fs.mkdirs(new Path("/a"));
      }
      // Both are one process here, and both are asked.
      long done =
          mini
              .getNameNodeRpc(0)
              .refresh(RulesAdmin.IDENTIFIER, new String[] {"set", "/a", "place=stock"})
              .stream()
              .filter(answer -> answer.getReturnCode() == 0)
              .count();
      assertEquals(1, done, "only the active one does it");
      HATestUtil.waitForStandbyToCatchUp(mini.getNameNode(0), mini.getNameNode(1));
      RackCluster.await(
          "the standby to follow", () -> placing(mini.getNameNode(1)) == Placing.STOCK);
      mini.transitionToStandby(0);
      mini.transitionToActive(1);
      assertEquals(Placing.STOCK, placing(mini.getNameNode(1)));
      mini.restartNameNode(1, false);
      assertEquals(Placing.STOCK, placing(mini.getNameNode(1)), "from the start");
    }
  }

  private static Placing placing(NameNode nameNode) {
    return RackCluster.contextOf(nameNode).config().placing().of("/a/file");
  }

  @Test
  void whatMakesNoSenseIsRefusedAndChangesNothing() throws Exception {
    Configuration conf = RackCluster.conf();
    conf.set(ConfiguredRules.CODES, "/old=rs-3-2");
    conf.setInt(DFSConfigKeys.DFS_REPLICATION_MAX_KEY, 5);
    try (RackCluster cluster = RackCluster.start(conf, 1)) {
      NameNode nameNode = cluster.mini().getNameNode();
      cluster.fs().mkdirs(new Path("/a"));
      assertRefused(nameNode, 2, "colour", "set", "/a", "colour=blue");
      assertRefused(nameNode, 2, "rs-1-1", "set", "/a", "code=rs-1-1");
      assertRefused(nameNode, 2, "/missing", "set", "/missing", "code=rs-3-2");
      assertRefused(nameNode, 2, "no such rule", "remove", "/a");
      assertRefused(nameNode, 2, "absolute path", "set", "a", "code=rs-3-2");
      assertRefused(nameNode, 2, "dfs.replication.max", "set", "/a", "heat=adapt", "max=6");
      cluster.fs().setSafeMode(SafeModeAction.SAFEMODE_ENTER);
      assertRefused(nameNode, 1, "safe mode", "set", "/a", "code=rs-3-2");
      cluster.fs().setSafeMode(SafeModeAction.SAFEMODE_LEAVE);
      assertEquals(
          "{'rules':[{'path':'/old','code':'rs-3-2'}]}",
          say(nameNode, "list"),
          "of the configuration");

      say(nameNode, "set", "/a", "code=rs-3-2", "age=1d");
      String test = say(nameNode, "test", "/a/file");
      assertTrue(
          test.contains(
              "{'feature':'stripes','mode':'active','does':'encoded by rs-3-2 with age=86400s',"
                  + "'rule_of':'/a'}"),
          test);
      assertTrue(
          test.contains(
              "{'feature':'heat','mode':'active','does':'keeps its replicas','rule_of':null}"),
          test);
    }
  }

  private static void assertRefused(NameNode nameNode, int code, String named, String... words)
      throws Exception {
    RefreshResponse answer = answer(nameNode, words);
    assertEquals(code, answer.getReturnCode(), Arrays.toString(words) + answer.getMessage());
    assertTrue(answer.getMessage().toLowerCase(Locale.ROOT).contains(named), answer.getMessage());
  }
}
