package org.rackweave.sim.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.sim.workload.Inputs.complaint;
import static org.rackweave.sim.workload.Inputs.write;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputLinesTest {
  @TempDir Path directory;

  private static List<String> all(Path file) throws InputException {
    List<String> all = new ArrayList<>();
    try (InputLines lines = new InputLines(file)) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        all.add(line);
      }
    }
    return all;
  }

  private Path bytes(String text) {
    return write(directory, text.getBytes(StandardCharsets.UTF_8));
  }

  private Path zipped(byte[] content, int cutBytes) throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(zipped)) {
      out.write(content);
    }
    Path file = directory.resolve("log.gz");
    byte[] all = zipped.toByteArray();
    return Files.write(file, Arrays.copyOf(all, all.length - cutBytes));
  }

  @Test
  void givesLinesOfEitherEndingAndALastOneWithout() throws InputException {
    assertEquals(List.of("a", "", "bä", "c"), all(bytes("a\n\r\nbä\r\nc")));
    assertEquals(List.of(), all(bytes("")));
    assertEquals(List.of("", ""), all(bytes("\n\n")));
  }

  @Test
  void givesLinesLongerThanItsBuffer() throws InputException {
    String longLine = "x".repeat(200_000);
    assertEquals(
        List.of("a", longLine, longLine, "b"),
        all(bytes("a\n" + longLine + "\n" + longLine + "\nb\n")));
    String longest = "y".repeat(InputLines.LINE_BYTES_MAX);
    assertEquals(List.of(longest), all(bytes(longest)));
  }

  @Test
  void refusesALineThatNeverEnds() {
    Path file = bytes("a\n" + "x".repeat(InputLines.LINE_BYTES_MAX + 1));
    assertEquals("2: is longer than 1048576 bytes", complaint(() -> all(file)));
  }

  @Test
  void refusesWhatIsNoText() {
    Path zero = write(directory, new byte[] {'a', '\n', 'b', 0, 'c'});
    assertEquals(
        "2: has a zero byte at column 2, so this is no whole text file",
        complaint(() -> all(zero)));
    Path latin = write(directory, new byte[] {'a', '\n', 'b', '\n', (byte) 0xe4, '\n'});
    assertEquals("3: is not UTF-8 text", complaint(() -> all(latin)));
  }

  @Test
  void refusesWhatIsNoFile() {
    Path nowhere = directory.resolve("nowhere");
    assertEquals("0: there is no such file", complaint(() -> all(nowhere)));
    assertEquals("0: is a directory, not a file", complaint(() -> all(directory)));
  }

  @Test
  void unzipsAndSaysWhereAnArchiveBreaksOff() throws IOException, InputException {
    byte[] content = "one\ntwo\n".getBytes(StandardCharsets.UTF_8);
    assertEquals(List.of("one", "two"), all(zipped(content, 0)));
    for (int cutBytes : new int[] {6, 10}) {
      Path cut = zipped(content, cutBytes);
      String complaint = complaint(() -> all(cut));
      assertTrue(complaint.matches("[23]: cannot be read: the archive breaks off"), complaint);
    }
    Path plain = Files.write(directory.resolve("plain.gz"), content);
    assertEquals("0: cannot be read: Not in GZIP format", complaint(() -> all(plain)));
  }
}
