package org.rackweave.cli.demo;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.rackweave.cli.UsageException;
import org.rackweave.cli.experiment.Seeded;

/** The real files the demo copies, cut into parts of a size that HDFS sees as a few blocks. */
public final class InputFiles {

  /** Enough for any sample, and a walk over a home directory ends. */
  private static final int MAX_FILES = 20_000;

  private final Path directory;
  private final List<FilePiece> pieces;

  private InputFiles(Path directory, List<FilePiece> pieces) {
    this.directory = directory;
    this.pieces = pieces;
  }

  /**
   * Lists {@code directory}, symbolic links and unreadable files left out.
   *
   * @param maxPieceBytes longest part
   * @throws UsageException if there is nothing to copy, naming the directory and the reason
   */
  public static InputFiles list(Path directory, int maxPieceBytes) {
    if (!Files.exists(directory)) {
      throw new UsageException("--input " + directory + " does not exist");
    }
    if (!Files.isDirectory(directory)) {
      throw new UsageException("--input " + directory + " is not a directory");
    }
    if (!Files.isReadable(directory)) {
      throw new UsageException("--input " + directory + " cannot be read");
    }
    Lister lister = new Lister(maxPieceBytes);
    try {
      Files.walkFileTree(directory, lister);
    } catch (IOException e) {
      throw new UsageException("--input " + directory + " cannot be listed: " + e.getMessage());
    }
    if (lister.pieces.isEmpty()) {
      throw new UsageException("--input " + directory + " holds no readable file with any byte");
    }
    lister.pieces.sort(Comparator.comparing(FilePiece::file).thenComparingLong(FilePiece::offset));
    return new InputFiles(directory, lister.pieces);
  }

  /** Where the files come from. */
  public Path directory() {
    return directory;
  }

  /** All parts there are, ordered by file and offset. */
  public List<FilePiece> pieces() {
    return pieces;
  }

  /**
   * Puts the parts in a random order in which a part's chance to come early grows with its length,
   * so that a sample has the mix of bytes the directory has and not thousands of tiny files.
   */
  public List<FilePiece> sampleOrder(long seed) {
    Random random = Seeded.random(seed);
    record Drawn(FilePiece piece, double key) {}
    return pieces.stream()
        .map(piece -> new Drawn(piece, Seeded.exponential(random, 1) / piece.length()))
        .sorted(Comparator.comparingDouble(Drawn::key))
        .map(Drawn::piece)
        .toList();
  }

  private static final class Lister extends SimpleFileVisitor<Path> {
    private final int maxPieceBytes;
    private final List<FilePiece> pieces = new ArrayList<>();
    private int files;

    Lister(int maxPieceBytes) {
      this.maxPieceBytes = maxPieceBytes;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (attributes.isRegularFile() && Files.isReadable(file)) {
        for (long offset = 0; offset < attributes.size(); offset += maxPieceBytes) {
          int length = (int) Math.min(maxPieceBytes, attributes.size() - offset);
          pieces.add(new FilePiece(file, offset, length));
        }
        files++;
      }
      return files < MAX_FILES ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException unreadable) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException partlyRead) {
      return FileVisitResult.CONTINUE;
    }
  }
}
