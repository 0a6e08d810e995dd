package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.hdfs.namenode.RackCluster.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.ipc.RefreshResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.cli.sim.ReplayCommand;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.history.RecordedFrame;
import org.rackweave.history.RecordedWrite;

/** Two NameNodes of a namespace on one machine, one of which starts again. */
@Tag("newest-hadoop")
class BlackBoxIT {
  @TempDir Path boxes;

  /** What all NameNodes of this process answer, of which there is one registry. */
  private static List<String> ask(RackCluster cluster, String identifier, String... words) {
    try {
      return cluster.mini().getNameNodeRpc(0).refresh(identifier, words).stream()
          .map(RefreshResponse::getMessage)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String events(RackCluster cluster, int nameNode) {
    String address = cluster.mini().getNameNode(nameNode).getNameNodeAddressHostPortString();
    return ask(cluster, HealthAdmin.IDENTIFIER, "events").stream()
        .filter(answer -> answer.contains('"' + address + '"'))
        .findFirst()
        .orElse("");
  }

  private List<Path> directories() throws IOException {
    try (Stream<Path> files = Files.list(boxes)) {
      return files.sorted().toList();
    }
  }

  private static List<Object> contents(Path directory) throws IOException {
    List<Object> found = new ArrayList<>();
    new BoxDirectory(directory, Long.MAX_VALUE / 2, Long.MAX_VALUE / 2).read(found::add);
    return found;
  }

  @Test
  void aNameNodeThatStartsAgainKnowsWhatWasBefore() throws Exception {
    Configuration conf = RackCluster.conf();
    conf.set(ConfigKeys.BLACK_BOX_DIRECTORY, boxes.toString());
    try (RackCluster cluster =
        RackCluster.startHa(
            new MiniDFSCluster.Builder(conf)
                .nnTopology(MiniDFSNNTopology.simpleHATopology())
                .numDataNodes(3)
                .racks(RackCluster.racks(2, 1)))) {
      await(
          "load known",
          () -> {
            PlacementContext context = RackCluster.contextOf(cluster.mini().getNameNode(0));
            return context.state() != null
                && context.state().links().liveCount() == 3
                && context.state().links().coverage() == 1;
          });
      await("the first look", () -> events(cluster, 0).contains("is active"));
      DistributedFileSystem fs = HATestUtil.configureFailoverFs(cluster.mini(), conf);
      RackCluster.write(fs, "/warehouse/a", 2, 2);
      ask(cluster, RuntimeSwitch.IDENTIFIER, "placement=shadow");
      await("a change of modes is told", () -> events(cluster, 0).contains("placement=shadow"));
      cluster.mini().restartNameNode(0);
      await(
          "events of before are told",
          () -> events(cluster, 0).split("Rackweave runs on").length == 3); // two starts
      assertTrue(events(cluster, 0).contains("placement=shadow"));
      assertEquals(2, events(cluster, 1).split("Rackweave runs on").length, "one of the other");
    }
    assertEquals(2, directories().size(), "each NameNode has a directory of its own");
    List<Object> all = new ArrayList<>();
    for (Path directory : directories()) {
      all.addAll(contents(directory));
    }
    assertTrue(
        all.stream()
            .anyMatch(one -> one instanceof RecordedFrame frame && frame.racks().size() == 2));
    assertTrue(
        all.stream()
            .anyMatch(
                one ->
                    one instanceof RecordedWrite write
                        && write.decision().path().equals("/warehouse/a")));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream printed = new PrintStream(out, true);
    int code = new ReplayCommand(printed, printed).run(new String[] {"--box", boxes.toString()});
    assertEquals(0, code, out::toString);
    assertTrue(out.toString().contains("/warehouse"), out::toString);
  }
}
