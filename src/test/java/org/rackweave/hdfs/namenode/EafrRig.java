package org.rackweave.hdfs.namenode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.ToolRunner;
import org.rackweave.cli.eafr.EafrCommand;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;

/** What tests of EAFR have in common: settings that make seconds of hours, and the commands. */
final class EafrRig {
  /** Three racks of two. */
  static final int[] RACKS = {2, 2, 2};

  private EafrRig() {}

  /** Any read makes a file hot, and any server overloaded; nothing is too young. */
  static Configuration conf() {
    Configuration conf = RackCluster.conf();
    conf.unset(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY);
    conf.set(ConfiguredRules.HEAT, "/data=adapt max=5");
    conf.set(ConfigKeys.EAFR_INTERVAL, "2s");
    conf.set(ConfigKeys.EAFR_DECAY, "0");
    conf.set(
        ConfigKeys.PAPER,
        "eafr.tau-upper=0.5 eafr.tau-lower=0.2 eafr.tau-load=0.4 eafr.gamma-servers=0.1");
    conf.set(ConfigKeys.EAFR_CAPACITY, "1");
    conf.set(ConfigKeys.EAFR_CAPACITY_OBSERVED, "false");
    conf.set(ConfigKeys.EAFR_AGE_MIN, "0");
    conf.set(ConfigKeys.EAFR_DWELL, "0");
    conf.set(ConfigKeys.EAFR_COOL_DOWN, "0");
    conf.set(ConfigKeys.EAFR_RESERVE_BYTES, "0");
    return conf;
  }

  /** Reads whole files, which keeps the DataNodes that serve them busy for some seconds. */
  static void read(DistributedFileSystem fs, Path... files) {
    try {
      for (Path file : files) {
        DFSTestUtil.readFileAsBytes(fs, file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static int factor(DistributedFileSystem fs, Path file) {
    try {
      return fs.getFileStatus(file).getReplication();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Live replicas of the block that has fewest. */
  static int replicas(DistributedFileSystem fs, Path file) {
    try {
      return DFSTestUtil.getAllBlocks(fs, file).stream()
          .mapToInt(block -> block.getLocations().length)
          .min()
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The attribute in which a file's own factor is kept, {@code null} for none. */
  static String mark(DistributedFileSystem fs, Path file) {
    try {
      byte[] value = fs.getXAttrs(file).get("trusted.rackweave.own-factor");
      return value == null ? null : new String(value, StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Blocks that HDFS copies or has to copy, counted now. */
  static long pending(NameNode nameNode) {
    return NameNodeBridge.of(nameNode).files().pendingBlocks();
  }

  /** Runs {@code bin/rackweave eafr}, which has to succeed. */
  static JsonNode eafr(Configuration conf, String... args) {
    return run(conf, EafrCommand::eafr, args);
  }

  /** Runs one of {@code bin/rackweave}'s commands, which has to succeed. */
  static JsonNode run(
      Configuration conf,
      BiFunction<PrintStream, PrintStream, EafrCommand> command,
      String... args) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(said, true, StandardCharsets.UTF_8);
    try {
      java.nio.file.Path json = Files.createTempFile("figures", ".json");
      List<String> all = new ArrayList<>(List.of(args));
      all.addAll(List.of("--json", json.toString()));
      // A shell's connection is its own; one that is kept may be to a NameNode that was restarted.
      Configuration shell = new Configuration(conf);
      shell.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECTION_MAXIDLETIME_KEY, 0);
      int exit = ToolRunner.run(shell, command.apply(to, to), all.toArray(String[]::new));
      if (exit != 0) {
        throw new AssertionError(said.toString(StandardCharsets.UTF_8));
      }
      JsonNode figures = new ObjectMapper().readTree(json.toFile());
      Files.delete(json);
      return figures;
    } catch (Exception e) {
      throw new AssertionError(said.toString(StandardCharsets.UTF_8), e);
    }
  }
}
