package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.hdfs.RackweaveConfig;
import org.rackweave.history.Event;
import org.rackweave.history.Event.Kind;
import org.rackweave.history.EventLog;
import org.rackweave.history.LinkHistory;
import org.rackweave.history.LinkHistory.Frame;
import org.rackweave.history.PlacementRecord;
import org.rackweave.history.RecordedWrite;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;
import org.rackweave.placement.FallbackReason;

class BlackBoxTest {
  private static final long HOUR_MS = 3_600_000;
  private static final long KEPT_MS = 24 * HOUR_MS;

  @TempDir Path temporary;

  private final PlacementContext context =
      new PlacementContext(
          RackweaveConfig.from(new Configuration(false)), new NetworkTopology(), () -> 30_000, 0);

  /** A NameNode from its start on. */
  private final class Run {
    final EventLog events = new EventLog(Time::now, System::nanoTime);
    final LinkHistory links = new LinkHistory(300_000, 288);
    final BlackBox box;

    Run(Path directory) {
      box = new BlackBox(directory, context, events, links);
    }

    void happens(String what) {
      events.add(Kind.START, what);
    }

    List<String> told() {
      return events.latest(10, 10, one -> true).stream().map(Event::text).toList();
    }
  }

  private static List<Object> contents(Path directory) throws IOException {
    List<Object> found = new ArrayList<>();
    new BoxDirectory(directory, KEPT_MS, 1 << 20).read(found::add);
    return found;
  }

  private static List<Path> segments(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  private static PlacementRecord decision(String path) {
    return new PlacementRecord(
        Time.now(),
        path,
        true,
        1000,
        null,
        null,
        FallbackReason.RULE,
        List.of(),
        List.of("/r1/dn1"),
        List.of(),
        null);
  }

  private static Frame frame(long atMs, ClusterTopology topology, byte[] shares) {
    return new Frame(atMs, atMs, atMs + 300_000, topology, shares, shares, shares, shares);
  }

  @Test
  void eventsAndFramesOutliveARestart() throws Exception {
    Path directory = temporary.resolve("rackweave").resolve("nn1");
    context.refresh(0);
    ClusterTopology topology =
        ClusterTopology.of(
            List.of(new NodePlace("dn1", "/a", null), new NodePlace("dn2", "/b", null)));
    long nowMs = Time.now();
    Run first = new Run(directory);
    first.happens("first");
    first.happens("second");
    for (int step = 2; step > 0; step--) {
      byte[] host = {(byte) step, LinkHistory.UNKNOWN};
      first.box.offer(frame(nowMs - step * 300_000, topology, host));
    }
    first.box.offer(frame(nowMs - KEPT_MS - 1, topology, new byte[2]));
    first.box.close();

    Run second = new Run(directory);
    second.happens("third");
    second.box.tick();
    second.happens("fourth");
    assertEquals(List.of("fourth", "third", "second", "first"), second.told());
    List<Frame> frames = second.links.since(0);
    assertEquals(List.of((byte) 2, (byte) 1), frames.stream().map(one -> one.hostRx()[0]).toList());
    assertSame(frames.get(0).topology(), frames.get(1).topology());
    assertEquals("/b/dn2", frames.get(0).topology().placeOf(1));
    second.box.close();

    Run third = new Run(directory);
    third.box.tick();
    assertEquals(List.of("fourth", "third", "second", "first"), third.told(), "each once");
    third.box.close();
  }

  /** As after a disk that was full in the middle. */
  @Test
  void whatWasWrittenTwiceIsReadOnce() throws Exception {
    BoxDirectory before = new BoxDirectory(temporary, KEPT_MS, 1 << 20);
    long nowMs = Time.now();
    for (int i = 0; i < 2; i++) {
      before.open(nowMs);
      before.append(new Event(nowMs, Kind.START, "", "first"));
      before.append(new Event(nowMs, Kind.START, "", "second"));
      before.close();
    }
    Run run = new Run(temporary);
    run.box.tick();
    assertEquals(List.of("second", "first"), run.told());
    run.box.close();
  }

  /** Paths of files are in it. */
  @Test
  void onlyTheOwnerReadsIt() throws Exception {
    Path directory = temporary.resolve("rackweave").resolve("nn1");
    Run run = new Run(directory);
    run.happens("first");
    run.box.close();
    for (Path made : List.of(directory.getParent(), directory)) {
      assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made)));
    }
    Path segment = segments(directory).get(0);
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(segment)));
  }

  @Test
  void whatCannotBeWrittenIsToldAndNothingElseIsHurt() throws Exception {
    Path file = Files.createFile(temporary.resolve("rackweave"));
    Run run = new Run(file.resolve("nn1"));
    run.happens("first");
    run.box.tick();
    assertTrue(run.box.fault().contains("nn1: "), run.box.fault());
    run.box.tick();
    assertEquals(List.of("first"), run.told());
    Files.delete(file);
    run.box.close(); // tries once more
    assertEquals("", run.box.fault());
    assertEquals(1, contents(file.resolve("nn1")).size());
  }

  @Test
  void decisionsAreSampledAndStandForTheOthers() throws Exception {
    Run run = new Run(temporary);
    for (int i = 0; i < 4000; i++) {
      context.decisions().add(decision("/warehouse/f" + i));
    }
    run.box.tick();
    for (int i = 0; i < 10; i++) {
      context.decisions().add(decision("/logs/f" + i));
    }
    run.box.close();
    List<RecordedWrite> writes =
        contents(temporary).stream().map(RecordedWrite.class::cast).toList();
    List<RecordedWrite> many =
        writes.stream().filter(one -> one.decision().path().startsWith("/warehouse")).toList();
    assertEquals(1000, many.size());
    assertEquals(4000, many.stream().mapToDouble(RecordedWrite::weight).sum(), 1e-6);
    assertTrue(writes.size() <= 1010, () -> writes.size() + " writes");
  }

  @Test
  void oldSegmentsGo() throws Exception {
    BoxDirectory box = new BoxDirectory(temporary, KEPT_MS, 1 << 20);
    Event event = new Event(0, Kind.MODE, "", "x".repeat(100));
    for (int hour = 0; hour < 60; hour++) {
      box.open(hour * HOUR_MS);
      box.append(event);
    }
    box.close();
    assertEquals(26, segments(temporary).size(), "a day, the one that began before, and the last");
    assertEquals("0000000122400000.box", segments(temporary).get(0).getFileName().toString());
    Files.writeString(temporary.resolve("notes.txt"), "not ours");
    box.open(1000 * HOUR_MS);
    box.append(event);
    box.close();
    assertEquals(
        27, segments(temporary).size(), "a clock far ahead does no harm, nor to what is not ours");
    box.open(60 * HOUR_MS);
    box.append(new Event(1, Kind.MODE, "", "right again"));
    box.close();
    List<Object> left = contents(temporary);
    assertEquals(26, left.size());
    assertEquals("right again", ((Event) left.get(25)).text(), "the newest is the last");
  }

  /** Such as a disk that is full leaves with each retry. */
  @Test
  void emptySegmentsGo() throws Exception {
    BoxDirectory box = new BoxDirectory(temporary, KEPT_MS, 1 << 20);
    for (int i = 0; i < 10; i++) {
      box.open(i);
      box.close();
    }
    assertEquals(1, segments(temporary).size());
  }

  @Test
  void allTogetherStayBelowTheirSize() throws Exception {
    long most = 1 << 20;
    BoxDirectory box = new BoxDirectory(temporary, KEPT_MS, most);
    Random random = new Random(1);
    for (int i = 0; i < 3000; i++) {
      byte[] noise = new byte[1000];
      random.nextBytes(noise);
      box.open(i);
      box.append(new Event(i, Kind.MODE, "", new String(noise, StandardCharsets.ISO_8859_1)));
      if (i % 100 == 0) {
        box.flush();
        long bytes = 0;
        for (Path segment : segments(temporary)) {
          bytes += Files.size(segment);
        }
        assertTrue(bytes <= most, bytes + " bytes");
      }
    }
    box.close();
    List<Object> left = contents(temporary);
    assertTrue(left.size() > 500, () -> left.size() + " records");
    assertEquals(2999, ((Event) left.get(left.size() - 1)).atMs(), "the latest");
  }
}
