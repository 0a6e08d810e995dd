package org.rackweave.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.cli.UsageException;

class InputFilesTest {

  private static final int PIECE = 100;

  @TempDir Path directory;

  @BeforeEach
  void putFiles() throws IOException {
    Files.write(directory.resolve("long"), new byte[250]);
    Files.createDirectory(directory.resolve("inside"));
    Files.write(directory.resolve("inside").resolve("short"), new byte[7]);
    Files.write(directory.resolve("empty"), new byte[0]);
    Files.createSymbolicLink(directory.resolve("link"), directory.resolve("long"));
  }

  private static String message(Path input) {
    return assertThrows(UsageException.class, () -> InputFiles.list(input, PIECE)).getMessage();
  }

  @Test
  void cutsLongFilesAndLeavesOutEmptyOnesAndLinks() {
    Path longFile = directory.resolve("long");
    assertEquals(
        List.of(
            new FilePiece(directory.resolve("inside").resolve("short"), 0, 7),
            new FilePiece(longFile, 0, 100),
            new FilePiece(longFile, 100, 100),
            new FilePiece(longFile, 200, 50)),
        InputFiles.list(directory, PIECE).pieces());
  }

  @Test
  void partsOfOneFileHaveDifferentNames() {
    assertEquals("long", new FilePiece(Path.of("long"), 0, 100).name());
    assertEquals("long@100", new FilePiece(Path.of("long"), 100, 100).name());
  }

  @Test
  void sampleHoldsEveryPartOnceAndTheSameSeedRepeatsIt() {
    InputFiles files = InputFiles.list(directory, PIECE);
    List<FilePiece> sample = files.sampleOrder(5);
    assertEquals(sample, files.sampleOrder(5));
    assertTrue(sample.containsAll(files.pieces()) && sample.size() == files.pieces().size());
  }

  @Test
  void longPartsComeFirstInProportionToTheirBytes() {
    InputFiles files = InputFiles.list(directory, PIECE);
    int shortFirst = 0;
    for (long seed = 0; seed < 2_000; seed++) {
      shortFirst += files.sampleOrder(seed).get(0).length() == 7 ? 1 : 0;
    }
    assertEquals(2_000 * 7 / 257.0, shortFirst, 25);
  }

  @Test
  void saysWhatIsWrongWithADirectoryThatCannotBeUsed() throws IOException {
    Path missing = directory.resolve("missing");
    assertTrue(message(missing).contains("missing does not exist"));
    assertTrue(message(directory.resolve("long")).contains("is not a directory"));
    Path bare = Files.createDirectory(directory.resolve("bare"));
    Files.write(bare.resolve("empty"), new byte[0]);
    assertTrue(message(bare).contains("bare holds no readable file"));
  }
}
