package org.rackweave;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** The jar goes onto a NameNode's class path, where a foreign class can break HDFS itself. */
class ThinJarIT {

  private static final Path JAR = Path.of(System.getProperty("rackweave.test.jar"));
  private static final long MAX_BYTES = 2_000_000;

  @Test
  void holdsOnlyOurClassesAndTheDefaults() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      List<String> foreign =
          jar.stream()
              .filter(entry -> !entry.isDirectory())
              .map(ZipEntry::getName)
              .filter(name -> !isOurs(name))
              .toList();
      assertEquals(List.of(), foreign);
    }
  }

  @Test
  void staysSmall() throws IOException {
    assertTrue(Files.size(JAR) < MAX_BYTES, () -> JAR + " has grown beyond two megabytes");
  }

  private static boolean isOurs(String name) {
    return isOnTheServer(name)
        || name.startsWith("org/apache/hadoop/hdfs/")
        || name.equals("org/apache/hadoop/fs/")
        || name.equals("org/apache/hadoop/fs/DegradedReadHdfs.class")
        || name.startsWith("META-INF/")
        || name.equals("rackweave-default.xml");
  }

  /** The command line and the simulator are in another jar. */
  private static boolean isOnTheServer(String name) {
    return name.startsWith("org/rackweave/") && !name.matches("org/rackweave/(cli|sim|chart)/.*");
  }
}
