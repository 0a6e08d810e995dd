package org.rackweave.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.rackweave.cli.HdfsCommand;
import org.rackweave.cli.HdfsPath;
import org.rackweave.cli.UsageException;
import org.rackweave.cli.Watchable;
import org.rackweave.hdfs.namenode.WhyAdmin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bin/rackweave why}: asks the active NameNode why blocks are where they are. */
@Watchable
@Command(
    name = "bin/rackweave why",
    description =
        "Explains the placement of blocks: chosen DataNodes with the free bandwidth of their"
            + " links, refused ones with the reason, the expected time of the block, and that of"
            + " stock HDFS's random choice. A NameNode records its latest decisions since its start"
            + " (rackweave.decisions.kept). For a file it also shows the replication factor and the"
            + " encoding, for a DataNode its role, and for both the latest events.")
public final class WhyCommand extends HdfsCommand implements Callable<Integer> {
  private static final int COLUMNS = 100;

  @Parameters(
      arity = "0..1",
      paramLabel = "PATH",
      converter = HdfsPath.class,
      description = "A file.")
  private String path;

  @Option(
      names = "--block",
      paramLabel = "N",
      description = "Only the block of PATH with this number, from 0.")
  private Integer block;

  @Option(
      names = "--node",
      paramLabel = "X",
      description = "Decisions that chose or refused a DataNode: address:port, or address.")
  private String node;

  @Option(names = "--last", paramLabel = "N", description = "Number of decisions; default: 20.")
  private Integer last;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  public WhyCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  public Integer call() throws IOException {
    if (block != null && path == null) {
      throw new UsageException("--block needs the PATH of a file");
    }
    List<String> words = new ArrayList<>(List.of("show"));
    add(words, "path", path);
    add(words, "node", node);
    add(words, "last", last);
    if (block != null) {
      words.add("on=" + String.join(",", holders()));
    }
    ObjectNode answer =
        NameNodeAdmin.askActive(getConf(), WhyAdmin.IDENTIFIER, words.toArray(String[]::new));
    out.print(json ? answer.toPrettyString() + "\n" : text(answer));
    return isKnown(answer) ? 0 : EXIT_FAILURE;
  }

  /** Whether there is anything to print. */
  static boolean isKnown(JsonNode answer) {
    return Stream.of("file", "nodes", "events", "decisions")
        .anyMatch(part -> !answer.path(part).isEmpty());
  }

  private static void add(List<String> words, String key, Object value) {
    if (value != null) {
      words.add(key + '=' + value);
    }
  }

  /** DataNodes that have the block now. */
  private List<String> holders() throws IOException {
    Path file = new Path(path);
    FileSystem hdfs = file.getFileSystem(getConf());
    FileStatus status = hdfs.getFileStatus(file);
    BlockLocation[] blocks = hdfs.getFileBlockLocations(status, 0, status.getLen());
    if (block < 0 || block >= blocks.length) {
      throw new UsageException(
          "--block " + block + ": allowed is 0 to " + (blocks.length - 1) + " for " + path);
    }
    return List.of(blocks[block].getNames());
  }

  static String text(ObjectNode answer) {
    StringBuilder text = new StringBuilder();
    JsonNode file = answer.path("file");
    if (!file.isMissingNode()) {
      String blocks = file.path("blocks").asInt() + " blocks";
      text.append(
          String.format(
              "Factor %d%s; %s: %s.%n",
              file.path("factor").asInt(),
              file.path("factor").equals(file.path("own_factor"))
                  ? ""
                  : ", of its user " + file.path("own_factor").asInt(),
              file.has("blocks_encoded")
                  ? file.path("blocks_encoded").asInt() + " of " + blocks + " encoded"
                  : blocks,
              file.path("encoding").asText()));
    }
    for (JsonNode one : answer.path("nodes")) {
      text.append(one.path("node").asText()).append(": ").append(one.path("role").asText());
      text.append('\n');
    }
    for (JsonNode event : answer.path("events")) {
      text.append(event.path("time").asText()).append('\n');
      wrap(event.path("kind").asText() + ": " + event.path("text").asText(), text);
    }
    ArrayNode decisions = answer.withArray("decisions");
    for (JsonNode decision : decisions) {
      text.append(decision.path("time").asText()).append("  ");
      text.append(decision.path("path").asText()).append('\n');
      wrap(decision.path("sentence").asText(), text);
    }
    if (answer.path("kept_at_most").asLong() == 0) {
      return text.append("No decisions are kept: rackweave.decisions.kept is 0.\n").toString();
    }
    text.append(
        String.format(
            "%d decisions shown of %d kept; %d were not kept.%n",
            decisions.size(), answer.path("kept").asLong(), answer.path("not_kept").asLong()));
    return text.toString();
  }

  private static void wrap(String sentence, StringBuilder text) {
    int column = 0;
    for (String word : sentence.split(" ")) {
      if (column + word.length() + 1 > COLUMNS) {
        text.append('\n');
        column = 0;
      }
      text.append(column == 0 ? "  " : " ").append(word);
      column += word.length() + (column == 0 ? 2 : 1);
    }
    text.append('\n');
  }
}
