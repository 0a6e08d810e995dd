package org.rackweave.cli.demo;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileUtil;

/**
 * Room for blocks while the demo runs. It goes when the demo ends or is interrupted; what a killed
 * demo left behind goes when the next one starts.
 */
final class ScratchDirectory implements Closeable {

  private static final long NEEDED_BYTES = 2L << 30;
  private static final Pattern NAME = Pattern.compile("hdfs-(\\d+)");

  private final Path path;
  private final Thread atExit;

  private ScratchDirectory(Path path) {
    this.path = path;
    this.atExit = new Thread(() -> FileUtil.fullyDelete(path.toFile()));
  }

  /** Makes a directory of this process in {@code parent}. */
  static ScratchDirectory in(Path parent) throws IOException {
    Files.createDirectories(parent);
    deleteLeftovers(parent);
    long free = Files.getFileStore(parent).getUsableSpace();
    if (free < NEEDED_BYTES) {
      throw new IOException(
          parent + " has " + (free >> 20) + " MiB free; the blocks need " + (NEEDED_BYTES >> 20));
    }
    ScratchDirectory scratch =
        new ScratchDirectory(parent.resolve("hdfs-" + ProcessHandle.current().pid()));
    Files.createDirectories(scratch.path);
    Runtime.getRuntime().addShutdownHook(scratch.atExit);
    return scratch;
  }

  private static void deleteLeftovers(Path parent) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent, "hdfs-*")) {
      for (Path entry : entries) {
        Matcher name = NAME.matcher(String.valueOf(entry.getFileName()));
        if (name.matches() && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
          FileUtil.fullyDelete(entry.toFile());
        }
      }
    }
  }

  Path path() {
    return path;
  }

  @Override
  public void close() {
    FileUtil.fullyDelete(path.toFile());
    Runtime.getRuntime().removeShutdownHook(atExit);
  }
}
