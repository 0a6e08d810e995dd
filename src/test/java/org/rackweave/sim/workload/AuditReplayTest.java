package org.rackweave.sim.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.sim.workload.AuditLogs.line;
import static org.rackweave.sim.workload.AuditLogs.open;
import static org.rackweave.sim.workload.AuditLogs.rename;
import static org.rackweave.sim.workload.AuditLogs.words;
import static org.rackweave.sim.workload.Inputs.complaint;
import static org.rackweave.sim.workload.Inputs.write;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditReplayTest {
  private static final String LISTING_HEADER =
      "Path\tReplication\tModificationTime\tAccessTime\tPreferredBlockSize\tBlocksCount\tFileSize"
          + "\tNSQUOTA\tDSQUOTA\tPermission\tUserName\tGroupName";

  @TempDir Path directory;

  private static String listed(String path, int replication, long sizeBytes) {
    return path + "\t" + replication + "\tt\tt\t128\t1\t" + sizeBytes + "\t0\t0\t-rw\tu\tg";
  }

  @Test
  void turnsOperationsIntoRequests() throws InputException {
    AuditReplay replay =
        open(
            write(
                directory,
                line(0, "create", "/d/a"),
                line(5, "open", "/d/a"),
                line(9, "open", "/old"),
                line(12, "create", "/d/b"),
                line(20, "delete", "/d"),
                line(21, "open", "/d/a")));
    assertEquals(
        List.of(
            "0 write 0 1000x3",
            "5 read 0",
            "9 read 1",
            "12 write 2 1000x3",
            "20 delete 0",
            "20 delete 2",
            "21 read 3"),
        words(replay));
    assertEquals(
        List.of(new StoredFile(1, 1000, 300, 3), new StoredFile(3, 1000, 300, 3)),
        replay.storedFiles().toList(),
        "what is read and was never written is older than the log");
    assertEquals(words(replay), words(replay), "the same again");
  }

  @Test
  void creatingOverAFileReplacesIt() throws InputException {
    AuditReplay replay = open(write(directory, line(0, "create", "/a"), line(7, "create", "/a")));
    assertEquals(List.of("0 write 0 1000x3", "7 delete 0", "7 write 1 1000x3"), words(replay));
  }

  @Test
  void filesKeepTheirNumberThroughRenames() throws InputException {
    AuditReplay replay =
        open(
            write(
                directory,
                line(0, "create", "/job/_temporary/0/part-0"),
                line(0, "create", "/job/_temporary/0/part-1"),
                rename(1, "/job/_temporary/0", "/job/out"),
                line(2, "open", "/job/out/part-1"),
                line(3, "create", "/job/out/part-2"),
                rename(4, "/job/out/part-0", "/job/out2"),
                rename(5, "/job/out2", "/job/out"),
                line(6, "open", "/job/out/out2"),
                rename(7, "/nobody/knows", "/job/x")));
    assertEquals(
        List.of(
            "0 write 0 1000x3",
            "0 write 1 1000x3",
            "1 rename 2",
            "2 read 1",
            "3 write 2 1000x3",
            "4 rename 1",
            "5 rename 1",
            "6 read 0"),
        words(replay),
        "the older rename moves into a directory");
    assertEquals(Map.of("rename", 1L), replay.report().unused());
  }

  @Test
  void theNewerRenameReplacesAFile() throws InputException {
    AuditReplay replay =
        open(
            write(
                directory,
                line(0, "create", "/a"),
                line(0, "create", "/b"),
                line(1, "/10.0.0.1", "rename (options=[OVERWRITE])", "/a", "/b"),
                line(2, "open", "/b")));
    assertEquals(
        List.of("0 write 0 1000x3", "0 write 1 1000x3", "1 delete 1", "1 rename 1", "2 read 0"),
        words(replay));
  }

  @Test
  void countsWhatItCannotUse() throws InputException {
    AuditReplay replay =
        open(
            write(
                directory,
                line(0, "create", "/a"),
                line(1, "append", "/a"),
                line(2, "listStatus", "/"),
                line(3, "listStatus", "/"),
                line(4, "setReplication", "/a"),
                line(5, "delete", "/never/seen"),
                line(6, "safemode_leave", "null"),
                line(7, "create", "/x").replace("=true", "=false")));
    assertEquals(List.of("0 write 0 1000x3"), words(replay));
    assertEquals(
        new AuditReplay.Report(
            8,
            1,
            Map.of(
                "append",
                1L,
                "listStatus",
                2L,
                "setReplication",
                1L,
                "delete",
                1L,
                "safemode_leave",
                1L),
            0,
            1,
            0,
            1),
        replay.report());
  }

  @Test
  void learnsSizesFromAListingOfEitherEndOfTheLog() throws InputException {
    Path listing =
        write(
            directory,
            LISTING_HEADER,
            listed("/out", 2, 77),
            listed("/older", 4, 88),
            listed("/unused", 4, 99));
    Path log =
        write(
            directory,
            line(0, "create", "/tmp/x"),
            line(1, "setReplication", "/tmp/x"),
            rename(2, "/tmp/x", "/out"),
            line(3, "open", "/older"),
            rename(4, "/older", "/gone"),
            line(5, "create", "/drawn"));
    AuditReplay replay = open(Optional.of(listing), KnownClients.none(), log);
    assertEquals(
        List.of(
            "0 write 0 77x3",
            "1 factor 0 2",
            "2 rename 1",
            "3 read 1",
            "4 rename 1",
            "5 write 2 1000x3"),
        words(replay),
        "a factor that was set during the log is not that of the beginning");
    assertEquals(List.of(new StoredFile(1, 88, 128, 4)), replay.storedFiles().toList());
    assertEquals(2, replay.report().filesListed());
    assertEquals(1, replay.report().filesDrawn());
    assertEquals(Map.of(), replay.report().unused());
  }

  @Test
  void knowsTheNodesAmongTheClients() throws InputException {
    PrintedTopology printed =
        PrintedTopology.read(
            write(directory, "Rack: /a", "   10.0.0.1:9866 In Service", "   10.0.0.2:9866"));
    Path log =
        write(
            directory,
            line(0, "/10.0.0.2", "create", "/a", "null"),
            line(0, "/10.0.9.9", "create", "/b", "null"),
            line(0, "/10.0.0.1", "open", "/b", "null"));
    AuditReplay replay = open(Optional.empty(), KnownClients.of(printed, printed.topology()), log);
    List<TimedRequest> requests = replay.requests().toList();
    assertEquals(1, ((TimedRequest.Write) requests.get(0)).writer());
    assertEquals(TimedRequest.OUTSIDE, ((TimedRequest.Write) requests.get(1)).writer());
    assertEquals(0, ((TimedRequest.Read) requests.get(2)).reader());
    assertEquals(2, replay.report().clientsInside());
    assertEquals(1, replay.report().clientsOutside());
  }

  @Test
  void putsNeighboursInOrderAndRefusesWhatIsTooOld() throws InputException {
    AuditReplay replay =
        open(
            write(
                directory,
                line(100, "create", "/a"),
                line(50, "create", "/b"),
                line(5_100, "open", "/a"),
                line(100, "open", "/b")));
    assertEquals(
        List.of("0 write 0 1000x3", "50 write 1 1000x3", "50 read 0", "5050 read 1"),
        words(replay));
    Path back =
        write(
            directory,
            line(7_200_000, "create", "/a"),
            line(7_200_500, "create", "/b"),
            line(3_600_500, "create", "/c"));
    assertEquals(
        "3: is 3600000 ms older than a line before it; where the clock was set back, cut the log"
            + " there, and name parts of a log with the oldest first",
        complaint(() -> open(back)));
  }

  @Test
  void readsThePartsOfALogAsOne() throws InputException {
    Path first = write(directory, line(0, "create", "/a"), line(1_000, "open", "/a"));
    Path second = write(directory, line(900, "create", "/b"), line(2_000, "open", "/a"));
    assertEquals(
        List.of("0 write 0 1000x3", "900 write 1 1000x3", "1000 read 0", "2000 read 0"),
        words(open(first, second)));
    Path late = write(directory, line(60_000, "open", "/a"));
    InputException e = assertThrows(InputException.class, () -> open(late, second));
    assertEquals(second, e.file());
    assertEquals(1, e.line());
  }

  @Test
  void namesTheLineOfAnOperationThatCannotBe() {
    Path relative = write(directory, line(0, "create", "/a"), line(1, "open", "a"));
    assertEquals("2: open of 'a'; expected a path from the root", complaint(() -> open(relative)));
    Path deep = write(directory, line(0, "create", "/a".repeat(1001)));
    assertEquals("1: a path of more than 1000 parts", complaint(() -> open(deep)));
    Path longer = write(directory, line(0, "create", "/" + "a".repeat(8000)));
    assertEquals("1: a path of more than 8000 characters", complaint(() -> open(longer)));
    Path empty = write(directory, new byte[0]);
    assertEquals("0: has no line", complaint(() -> open(empty)));
  }

  @Test
  void staysWithinItsLimit() throws InputException {
    String[] lines =
        IntStream.rangeClosed(1, 1_001)
            .mapToObj(i -> line(i, "create", "/f" + i))
            .toArray(String[]::new);
    Path log = write(directory, lines);
    assertEquals(
        "1001: more than 1000 paths or files up to here; take a shorter piece of the log or raise"
            + " the limit",
        complaint(() -> open(log)));
  }

  @Test
  void playsFaster() throws InputException {
    Path log = write(directory, line(0, "create", "/a"), line(3_000, "open", "/a"));
    AuditReplay.Settings settings =
        new AuditReplay.Settings(
            List.of(log), Optional.empty(), AuditLogs.SHAPE, KnownClients.none(), 2, 10);
    assertEquals(
        List.of("0 write 0 1000x3", "1500 read 0"),
        words(AuditReplay.open(settings, new SplittableRandom(1))));
  }

  @Test
  void noticesThatTheLogHasChanged() throws InputException, IOException {
    Path log = write(directory, line(0, "create", "/a"));
    AuditReplay replay = open(log);
    Files.writeString(log, line(0, "create", "/other") + "\n" + line(1, "open", "/a") + "\n");
    UncheckedIOException e = assertThrows(UncheckedIOException.class, replay::requests);
    assertTrue(e.getMessage().contains("has changed since it was checked"), e.getMessage());
  }

  @Test
  void drawnSizesDependOnSeedAndFileOnly() throws InputException {
    Path log = write(directory, line(0, "create", "/a"), line(1, "open", "/old"));
    AuditReplay.Settings settings =
        new AuditReplay.Settings(
            List.of(log),
            Optional.empty(),
            new FileShape(new Distribution.LogUniform(1, 1e9), 100, 2),
            KnownClients.none(),
            1,
            10);
    AuditReplay one = AuditReplay.open(settings, new SplittableRandom(7));
    AuditReplay same = AuditReplay.open(settings, new SplittableRandom(7));
    AuditReplay other = AuditReplay.open(settings, new SplittableRandom(8));
    assertEquals(words(one), words(same));
    assertEquals(one.storedFiles().toList(), same.storedFiles().toList());
    assertTrue(!words(one).equals(words(other)), "another seed, other sizes");
  }
}
