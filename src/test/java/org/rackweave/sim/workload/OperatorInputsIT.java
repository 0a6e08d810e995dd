package org.rackweave.sim.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.hdfs.tools.offlineImageViewer.OfflineImageViewerPB;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.util.ToolRunner;
import org.apache.log4j.FileAppender;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.hdfs.namenode.RackCluster;

/** The inputs of an operator as a real NameNode and Hadoop's own tools write them. */
@Tag("newest-hadoop")
class OperatorInputsIT {
  private static final String AUDIT = "org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit";

  /** Comma, quotes, a tab and letters that are not ASCII: whatever the tools escape. */
  private static final String AWKWARD = "/d/a, \"b\" \t\u00e4\u6f22";

  @TempDir Path directory;
  private FileAppender appender;

  @AfterEach
  void stopLogging() {
    if (appender != null) {
      Logger.getLogger(AUDIT).removeAppender(appender);
      appender.close();
    }
    CallerContext.setCurrent(null);
  }

  /** As Hadoop's own log4j.properties has it. */
  private Path logAudit() throws IOException {
    Path log = directory.resolve("hdfs-audit.log");
    appender = new FileAppender(new PatternLayout("%d{ISO8601} %p %c{2}: %m%n"), log.toString());
    Logger logger = Logger.getLogger(AUDIT);
    logger.setLevel(Level.INFO);
    logger.setAdditivity(false);
    logger.addAppender(appender);
    return log;
  }

  private static void write(DistributedFileSystem fs, String path, int bytes) throws IOException {
    try (FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path(path))) {
      out.write(new byte[bytes]);
    }
  }

  private static void read(DistributedFileSystem fs, String path) throws IOException {
    try (FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(path))) {
      assertTrue(in.read() >= 0);
    }
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private void use(DistributedFileSystem fs) throws IOException {
    write(fs, AWKWARD, 100_000);
    read(fs, AWKWARD);
    write(fs, "/tmp/part", 7);
    assertTrue(fs.mkdirs(path("/out")));
    assertTrue(fs.rename(path("/tmp/part"), path("/out/part")));
    write(fs, "/tmp/again", 9);
    fs.rename(path("/tmp/again"), path("/out/part"), Options.Rename.OVERWRITE);
    assertTrue(fs.setReplication(path("/out/part"), (short) 1));
    read(fs, "/out/part");
    fs.listStatus(path("/"));
    write(fs, "/gone/x", 1);
    assertTrue(fs.delete(path("/gone"), true));
  }

  private Path printTopology(Configuration conf) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      assertEquals(0, ToolRunner.run(new DFSAdmin(conf), new String[] {"-printTopology"}));
    } finally {
      System.setOut(before);
    }
    return Files.write(directory.resolve("racks.txt"), printed.toByteArray());
  }

  private Path list(RackCluster cluster) throws Exception {
    DistributedFileSystem fs = cluster.fs();
    fs.setSafeMode(SafeModeAction.SAFEMODE_ENTER);
    fs.saveNamespace();
    fs.setSafeMode(SafeModeAction.SAFEMODE_LEAVE);
    Path image;
    File current = new File(cluster.mini().getNameDirs(0).iterator().next().getPath(), "current");
    try (Stream<Path> files = Files.list(current.toPath())) {
      image =
          files
              .filter(file -> file.getFileName().toString().matches("fsimage_\\d+"))
              .max(Comparator.comparing(Path::toString))
              .orElseThrow();
    }
    Path listing = directory.resolve("files.txt");
    String[] arguments = {"-p", "Delimited", "-i", image.toString(), "-o", listing.toString()};
    assertEquals(0, OfflineImageViewerPB.run(arguments));
    return listing;
  }

  @Test
  void readsWhatHadoopWrites() throws Exception {
    Configuration conf = RackCluster.stockConf();
    conf.setBoolean("hadoop.caller.context.enabled", true);
    CallerContext.setCurrent(new CallerContext.Builder("job=7\tof amy").build());
    try (RackCluster cluster = RackCluster.start(conf, 2, 1)) {
      Path log = logAudit();
      use(cluster.fs());
      PrintedTopology printed = PrintedTopology.read(printTopology(cluster.fs().getConf()));
      Path listing = list(cluster);
      assertEquals(3, printed.topology().nodeCount());
      assertEquals(2, printed.topology().rackCount());
      assertEquals(2, printed.topology().rackSize(0));
      assertTrue(printed.nodes().stream().allMatch(PrintedTopology.Node::inService));
      AuditReplay replay =
          AuditReplay.open(
              new AuditReplay.Settings(
                  List.of(log),
                  Optional.of(listing),
                  new FileShape(new Distribution.Fixed(1000), 300, 3),
                  KnownClients.of(printed, printed.topology()),
                  1,
                  1000),
              new SplittableRandom(1));
      check(replay, Files.readString(log));
    }
  }

  private static void check(AuditReplay replay, String log) {
    List<String> requests =
        AuditLogs.words(replay).stream().map(word -> word.replaceFirst("\\d+ ", "")).toList();
    assertEquals(
        List.of(
            "write 0 100000x3",
            "read 0",
            "write 1 1000x3",
            "rename 1",
            "write 2 9x3",
            "delete 1",
            "rename 1",
            "factor 2 1",
            "read 2",
            "write 3 1000x3",
            "delete 3"),
        requests,
        log);
    AuditReplay.Report report = replay.report();
    assertEquals(2, report.filesListed(), log);
    assertEquals(2, report.filesDrawn(), log);
    assertEquals(6, report.clientsInside(), "all run on the nodes' own address\n" + log);
    assertEquals(0, report.clientsOutside());
    Map<String, Long> unused = report.unused();
    assertEquals(1, unused.get("mkdirs"), log);
    assertEquals(1, unused.get("listStatus"), log);
    assertEquals(log.lines().count(), report.lines());
    assertTrue(log.contains("callerContext=job=7\\tof amy"), log);
  }
}
