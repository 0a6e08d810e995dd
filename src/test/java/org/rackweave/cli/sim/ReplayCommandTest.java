package org.rackweave.cli.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.hdfs.namenode.MadeUpRecords;
import org.rackweave.history.RecordedFrame;

/** A box of which is known which racks are busy: the first two of five. */
class ReplayCommandTest {
  private static final int RACKS = 5;
  private static final int NODES = 4;
  private static final int BUSY_RACKS = 2;
  private static final long STEP_MS = 300_000;
  private static final int STEPS = 12;
  private static final double LINK = 125e6;
  private static final long BLOCK = 128 << 20;
  private static final byte BUSY = 85;
  private static final byte QUIET = 10;
  private static final String BOX = "nn1-8020-BP-1-10.0.0.1-7/0000000000000001.box";

  @TempDir Path directory;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private byte[] segment;

  private static byte[] shares(int each) {
    byte[] shares = new byte[RACKS * each];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = i / each < BUSY_RACKS ? BUSY : QUIET;
    }
    return shares;
  }

  private static List<RecordedFrame.Rack> racks() {
    return IntStream.range(0, RACKS)
        .mapToObj(
            rack ->
                new RecordedFrame.Rack(
                    "/r" + rack,
                    IntStream.range(0, NODES).mapToObj(node -> "dn" + rack + node).toList()))
        .toList();
  }

  /** Where stock HDFS puts a block: on one node, and on two of another rack. */
  private static List<String> places(Random random) {
    int first = random.nextInt(RACKS);
    int second = (first + 1 + random.nextInt(RACKS - 1)) % RACKS;
    int node = random.nextInt(NODES);
    return List.of(
        "/r" + first + "/dn" + first + random.nextInt(NODES),
        "/r" + second + "/dn" + second + node,
        "/r" + second + "/dn" + second + (node + 1) % NODES);
  }

  private static RecordedFrame frame(int step, long fromMs) {
    return new RecordedFrame(
        step * STEP_MS,
        fromMs,
        (step + 1) * STEP_MS,
        racks(),
        shares(NODES),
        shares(NODES),
        shares(1),
        shares(1),
        LINK,
        1,
        1e9);
  }

  @BeforeEach
  void fillBox() throws IOException {
    Random random = new Random(5);
    List<Object> records = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      records.add(frame(step, step * STEP_MS));
    }
    for (int i = 0; i < 200; i++) {
      List<String> places = places(random);
      boolean isBusy = places.stream().anyMatch(place -> place.charAt(2) - '0' < BUSY_RACKS);
      double rate = LINK * (100 - (isBusy ? BUSY : QUIET)) / 100;
      records.add(
          MadeUpRecords.stockWrite(
              i * STEPS * STEP_MS / 200,
              (i % 2 == 0 ? "/warehouse/etl/f" : "/logs/app/f") + i,
              BLOCK,
              places,
              BLOCK / rate));
    }
    segment = MadeUpRecords.segment(records);
    Path file = directory.resolve("box").resolve(BOX);
    Files.createDirectories(file.getParent());
    Files.write(file, segment);
    Files.writeString(file.resolveSibling("notes.txt"), "not read");
  }

  private int replay(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    if (!all.contains("--box")) {
      all.addAll(0, List.of("--box", directory.resolve("box").toString()));
    }
    out.reset();
    err.reset();
    return new ReplayCommand(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8))
        .run(all.toArray(String[]::new));
  }

  private String rules(String... lines) throws IOException {
    Path file = directory.resolve("rules");
    Files.write(file, List.of(lines));
    return file.toString();
  }

  private static JsonNode row(JsonNode answer, String where, String by) {
    for (JsonNode row : answer.path("rows")) {
      if (row.path("directory").asText().equals(where) && row.path("by").asText().equals(by)) {
        return row;
      }
    }
    throw new AssertionError("no row " + where + ", " + by + " in " + answer);
  }

  @Test
  void rulesThatAskForTheNetworkBeatStockThereAndNotElsewhere() throws Exception {
    Path json = directory.resolve("figures.json");
    Path html = directory.resolve("page.html");
    String rules = rules("# tried", "/warehouse place=network code=rs-6-3", "/logs place=stock");
    int code = replay("--rules", rules, "--json", json.toString(), "--html", html.toString());
    assertEquals(0, code, err::toString);
    JsonNode answer = new ObjectMapper().readTree(json.toFile());
    JsonNode etl = row(answer, "/warehouse/etl", "other rules");
    JsonNode logs = row(answer, "/logs/app", "other rules");
    assertTrue(etl.path("low").asDouble() > 1.5, out::toString);
    assertTrue(etl.path("busy_targets_percent").asDouble() < 5, out::toString);
    assertEquals(1, logs.path("times_as_fast").asDouble(), 0.2, out::toString);
    assertTrue(logs.path("busy_targets_percent").asDouble() > 25, out::toString);
    JsonNode inForce = row(answer, "/warehouse/etl", "in force");
    assertEquals(1, inForce.path("times_as_fast").asDouble(), 1e-9, "shadow mode is stock HDFS");
    assertEquals(300, etl.path("writes").asInt(), "each stands for three");
    assertEquals(600, answer.path("writes_they_stand_for").asInt());
    assertEquals("code", answer.path("words_not_replayed").asText());
    assertTrue(out.toString(StandardCharsets.UTF_8).contains("/warehouse/etl"), out::toString);
    assertTrue(Files.readString(html).contains("/warehouse/etl"));
  }

  /** The loads are steady and few blocks meet, so that both have to agree. */
  @Test
  void theReplayTakesAboutAsLongAsTheNameNodeExpected() throws Exception {
    Path json = directory.resolve("figures.json");
    assertEquals(0, replay("--json", json.toString()), err::toString);
    JsonNode answer = new ObjectMapper().readTree(json.toFile());
    String check = answer.path("check").asText();
    double times = Double.parseDouble(check.replaceAll(".*takes (\\S+) times.*", "$1"));
    assertEquals(1, times, 0.25, check);
    assertEquals("1970-01-01T01:00:00Z", answer.path("to").asText());
    assertTrue(row(answer, "all", "place=network").path("low").asDouble() > 1.5, out::toString);
  }

  /** A standby records the same load, and no writes. */
  @Test
  void stepsOfTwoNameNodesCountOnce() throws Exception {
    assertEquals(0, replay(), err::toString);
    String ofOne = out.toString(StandardCharsets.UTF_8);
    List<Object> half = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      half.add(frame(step, step * STEP_MS + STEP_MS / 2));
    }
    Path other = directory.resolve("box").resolve("nn0-8020-BP-1-10.0.0.1-7");
    Files.createDirectories(other);
    Files.write(other.resolve("0000000000000001.box"), MadeUpRecords.segment(half));
    assertEquals(0, replay(), err::toString);
    assertEquals(ofOne, out.toString(StandardCharsets.UTF_8));
  }

  @Test
  void aTarIsAsGoodAsTheDirectory() throws Exception {
    Path tar = directory.resolve("box.tgz");
    try (TarArchiveOutputStream archive =
        new TarArchiveOutputStream(new GZIPOutputStream(Files.newOutputStream(tar)))) {
      TarArchiveEntry entry = new TarArchiveEntry("rackweave/" + BOX);
      entry.setSize(segment.length);
      archive.putArchiveEntry(entry);
      archive.write(segment);
      archive.closeArchiveEntry();
    }
    assertEquals(0, replay(), err::toString);
    String fromDirectory = out.toString(StandardCharsets.UTF_8);
    assertEquals(0, replay("--box", tar.toString()), err::toString);
    assertEquals(fromDirectory, out.toString(StandardCharsets.UTF_8));
  }

  @Test
  void saysWhatCannotBeReplayed() throws Exception {
    assertEquals(2, replay("--rules", rules("/a place=odds")));
    assertTrue(err.toString(StandardCharsets.UTF_8).contains("place=odds cannot"), err::toString);
    assertEquals(2, replay("--rules", rules("/a plaice=stock")));
    assertTrue(err.toString(StandardCharsets.UTF_8).contains("plaice"), err::toString);
    Path other = directory.resolve("box").resolve("nn1-8020-BP-2-10.0.0.1-8");
    Files.createDirectories(other);
    Files.write(other.resolve("0000000000000001.box"), segment);
    assertEquals(2, replay());
    assertTrue(
        err.toString(StandardCharsets.UTF_8).contains("several namespaces: BP-1"), err::toString);
    Path empty = Files.createDirectory(directory.resolve("empty"));
    assertEquals(1, replay("--box", empty.toString()));
    assertTrue(err.toString(StandardCharsets.UTF_8).contains("no loads of links"), err::toString);
  }
}
