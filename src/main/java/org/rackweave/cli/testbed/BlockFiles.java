package org.rackweave.cli.testbed;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The files in which DataNodes keep blocks. What they report as used is an estimate of theirs: it
 * counts blocks that were being written when they last looked at the disk until they look again.
 */
final class BlockFiles {
  private static final String PREFIX = "blk_";

  private BlockFiles() {}

  /** Bytes of all block files below a directory, while others may delete there. */
  static long bytesBelow(Path directory) throws IOException {
    long[] bytes = {0};
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            boolean isBlock = String.valueOf(file.getFileName()).startsWith(PREFIX);
            bytes[0] += isBlock ? attributes.size() : 0;
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException gone) {
            return FileVisitResult.CONTINUE;
          }
        });
    return bytes[0];
  }
}
