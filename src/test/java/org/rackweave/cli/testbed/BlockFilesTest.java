package org.rackweave.cli.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockFilesTest {
  @TempDir Path directory;

  private void file(String path, int bytes) throws IOException {
    Path file = directory.resolve(path);
    Files.createDirectories(file.getParent());
    Files.write(file, new byte[bytes]);
  }

  @Test
  void countsBlocksWhereverTheyAreAndNothingElse() throws IOException {
    file("data/current/VERSION", 100);
    file("data/current/BP-1/current/finalized/subdir0/subdir0/blk_1", 5);
    file("data/current/BP-1/current/finalized/subdir0/subdir0/blk_1_1001.meta", 2);
    file("data/current/BP-1/current/rbw/blk_2", 7);
    assertEquals(14, BlockFiles.bytesBelow(directory));
  }

  @Test
  void thereIsNothingWhereThereIsNoDirectory() throws IOException {
    assertEquals(0, BlockFiles.bytesBelow(directory.resolve("gone")));
  }
}
