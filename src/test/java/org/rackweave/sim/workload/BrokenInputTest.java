package org.rackweave.sim.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.MixedRandom;

/**
 * Thousands of broken inputs: each is read or refused with its file, a line it has and a reason,
 * and what is read can be used.
 */
class BrokenInputTest {
  private static final int CASES = 4_000;

  @TempDir Path directory;
  private Path file;

  /** Reads a file and uses all it gives. */
  private interface Reader {
    void read(Path file) throws InputException;
  }

  @BeforeEach
  void nameAFile() {
    file = directory.resolve("input.txt");
  }

  private void breakInput(String name, Reader reader, String... lines) throws IOException {
    byte[] whole = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    Files.write(file, whole);
    try {
      reader.read(file);
    } catch (InputException e) {
      throw new AssertionError(name + " is wrong before it is broken", e);
    }
    int refused = 0;
    for (long seed = 0; seed < CASES; seed++) {
      byte[] broken = broken(whole, MixedRandom.of(seed));
      Files.write(file, broken);
      try {
        reader.read(file);
      } catch (InputException e) {
        refused++;
        long count =
            new String(broken, StandardCharsets.ISO_8859_1).chars().filter(c -> c == '\n').count();
        assertEquals(file, e.file(), name + ", seed " + seed);
        assertTrue(
            e.line() >= 0 && e.line() <= count + 2,
            name + ", seed " + seed + ": " + e.getMessage());
        assertTrue(
            e.reason().chars().allMatch(c -> c >= ' ' && c <= '~'),
            name + ", seed " + seed + ": " + e.getMessage());
      } catch (RuntimeException | StackOverflowError e) {
        throw new AssertionError(name + ", seed " + seed + ": " + e, e);
      }
    }
    assertTrue(refused > CASES / 20, name + ": only " + refused + " of " + CASES + " refused");
  }

  /** A few changes, each to a byte, a piece, a number or a line. */
  private static byte[] broken(byte[] whole, Random dice) {
    byte[] bytes = whole;
    for (int changes = 1 + dice.nextInt(3); changes > 0; changes--) {
      int from = dice.nextInt(bytes.length + 1);
      int to = Math.min(bytes.length, from + dice.nextInt(1 + dice.nextInt(40)));
      byte[] piece = Arrays.copyOfRange(bytes, from, to);
      byte[] instead =
          switch (dice.nextInt(8)) {
            case 0 -> new byte[] {};
            case 1 -> random(1 + dice.nextInt(4), dice);
            case 2 -> twice(piece);
            case 3 -> text(dice, "-1", "0", "99999999999999999999", "NaN", "1e308", "2147483648");
            case 4 -> text(dice, "\n", "\t", " ", ":", "/", "=", "\"", "\\u", "\0", "\r\n");
            case 5 -> text(dice, "null", "true", "Rack: ", "  ", "#", "expect", "/a/../b", "é漢");
            case 6 -> Arrays.copyOfRange(bytes, dice.nextInt(from + 1), from);
            default -> reversed(piece);
          };
      bytes = replaced(bytes, from, to, instead);
    }
    return bytes;
  }

  private static byte[] random(int length, Random dice) {
    byte[] bytes = new byte[length];
    dice.nextBytes(bytes);
    return bytes;
  }

  private static byte[] text(Random dice, String... texts) {
    return texts[dice.nextInt(texts.length)].getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] twice(byte[] piece) {
    byte[] twice = Arrays.copyOf(piece, piece.length * 2);
    System.arraycopy(piece, 0, twice, piece.length, piece.length);
    return twice;
  }

  private static byte[] reversed(byte[] piece) {
    byte[] reversed = new byte[piece.length];
    for (int i = 0; i < piece.length; i++) {
      reversed[i] = piece[piece.length - 1 - i];
    }
    return reversed;
  }

  private static byte[] replaced(byte[] bytes, int from, int to, byte[] instead) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, from);
    out.writeBytes(instead);
    out.write(bytes, to, bytes.length - to);
    return out.toByteArray();
  }

  @Test
  void coflows() throws IOException {
    breakInput(
        "coflows",
        broken -> {
          CoflowTrace trace = CoflowTrace.read(broken);
          new ShuffleTraffic(
                  trace,
                  ShuffleTraffic.Playing.once(),
                  Inputs.square(3, 2),
                  new SplittableRandom(1))
              .requests()
              .forEach(request -> assertTrue(request.atNanos() >= 0));
        },
        "6 3",
        "1 0 2 0 1 2 2:8.0 3:16.0",
        "2 125 1 5 1 0:1.0",
        "3 4000 3 1 2 3 2 4:324.0 5:972.5");
  }

  @Test
  void jobs() throws IOException {
    SwimFiles.Use use = new SwimFiles.Use(true, true, 1L << 45, 128 << 20, 3, 1, Long.MAX_VALUE);
    breakInput(
        "jobs",
        broken ->
            new SwimFiles(SwimTrace.read(broken), use, Clients.outside(), new SplittableRandom(1))
                .requests()
                .forEach(request -> assertTrue(request.atNanos() >= 0)),
        "job0\t49\t49\t740773\t2339561\t627471",
        "job1\t101\t52\t736346\t1700537\t432269",
        "job2\t122\t21\t267631\t0\t233549");
  }

  @Test
  void topology() throws IOException {
    breakInput(
        "topology",
        broken -> {
          PrintedTopology printed = PrintedTopology.read(broken);
          KnownClients.of(printed, printed.topology()).nodeOf("10.0.0.1", 1);
        },
        "Rack: /hall/a",
        "   10.0.0.1:9866 (dn1.example.org) In Service",
        "   10.0.0.2:9866 (dn2.example.org) Decommissioned",
        "",
        "Rack: /hall/b",
        "   10.0.1.1:9866 In Service",
        "");
  }

  @Test
  void listing() throws IOException {
    breakInput(
        "listing",
        broken -> ListedFiles.read(broken, 0.5).storedFiles().forEach(StoredFile::blocks),
        "Path\tReplication\tModificationTime\tAccessTime\tPreferredBlockSize\tBlocksCount\tFileSize"
            + "\tNSQUOTA\tDSQUOTA\tPermission\tUserName\tGroupName",
        "/\t0\tt\tt\t0\t0\t0\t0\t0\tdrwx\tu\tg",
        "\"/a,b\"\t3\tt\tt\t134217728\t2\t200000000\t0\t0\t-rw\tu\tg",
        "/c\t2\tt\tt\t134217728\t1\t7\t0\t0\t-rw\tu\tg");
  }

  @Test
  void audit() throws IOException {
    breakInput(
        "audit",
        broken -> {
          AuditReplay.Settings settings =
              new AuditReplay.Settings(
                  List.of(broken), Optional.empty(), AuditLogs.SHAPE, KnownClients.none(), 1, 100);
          AuditReplay replay = AuditReplay.open(settings, new SplittableRandom(1));
          long[] last = {0};
          replay
              .requests()
              .forEachOrdered(
                  request -> {
                    assertTrue(request.atNanos() >= last[0]);
                    last[0] = request.atNanos();
                  });
        },
        AuditLogs.line(0, "create", "/d/a"),
        AuditLogs.line(5, "open", "/d/a") + "\tcallerContext=clientIp:10.9.8.7,clientPort:4711",
        AuditLogs.line(9, "setReplication", "/old \\u00E4"),
        AuditLogs.rename(12, "/d/a", "/e"),
        AuditLogs.line(20, "delete", "/d"));
  }
}
