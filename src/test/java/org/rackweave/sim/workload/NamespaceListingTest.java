package org.rackweave.sim.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.rackweave.sim.workload.Inputs.complaint;
import static org.rackweave.sim.workload.Inputs.write;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamespaceListingTest {
  private static final String HEADER =
      "Path;Replication;ModificationTime;AccessTime;PreferredBlockSize;BlocksCount;FileSize;"
          + "NSQUOTA;DSQUOTA;Permission;UserName;GroupName";

  private static final String TIMES = ";2024-05-01 12:00;2024-05-01 12:00;";
  private static final String DIRECTORY = "/;0" + TIMES + "0;0;0;100;-1;drwxr-xr-x;hdfs;super";
  private static final String FILE = "/a;3" + TIMES + "128;2;200;0;0;-rw-r--r--;amy;staff";
  private static final String CODED = "/ec;0" + TIMES + "128;2;999;0;0;-rw-r--r--;amy;staff";
  private static final String LINK = "/link;0" + TIMES + "0;0;0;0;0;-rwxrwxrwx;amy;staff";

  @TempDir Path directory;

  private Path listing(String delimiter, String... lines) {
    List<String> all = new ArrayList<>();
    for (String line : lines) {
      all.add(line.replace(";", delimiter));
    }
    return write(directory, all.toArray(String[]::new));
  }

  private static List<NamespaceListing.ListedFile> files(Path listing) throws InputException {
    List<NamespaceListing.ListedFile> files = new ArrayList<>();
    NamespaceListing.read(listing, files::add);
    return files;
  }

  @Test
  void listsReplicatedFilesAndCountsCodedOnes() throws InputException {
    Path listing = listing("\t", HEADER, DIRECTORY, FILE, CODED, LINK);
    assertEquals(List.of(new NamespaceListing.ListedFile("/a", 200, 128, 3)), files(listing));
    assertEquals(
        new NamespaceListing.Totals(1, 200, 1), NamespaceListing.read(listing, file -> {}));
  }

  @Test
  void understandsAnyDelimiterAndMoreColumns() throws InputException {
    String more = ";StoragePolicyId;ErasureCodingPolicy";
    Path listing = listing("||", HEADER + more, FILE + ";7;-");
    assertEquals(List.of(new NamespaceListing.ListedFile("/a", 200, 128, 3)), files(listing));
  }

  @Test
  void undoesWhatTheViewerDoesToPaths() throws InputException {
    String rest = FILE.substring(2);
    Path listing =
        listing("\t", HEADER, "\"/a,\"\"b\"\"\"" + rest, "\"/c%x0Ad\"" + rest, "/e\tf" + rest);
    assertEquals(
        List.of("/a,\"b\"", "/c\nd", "/e\tf"),
        files(listing).stream().map(NamespaceListing.ListedFile::path).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /a;3                                     | 2: has 2 columns, line 1 has 12
          a;3;t;t;128;2;200;0;0;-rw;u;g            | 2: path is 'a'; expected one from the root
          /a;-1;t;t;128;2;200;0;0;-rw;u;g          | 2: replication is '-1'; allowed: 0 to 32767
          /a;3;t;t;128;2;x;0;0;-rw;u;g             | 2: file size is 'x'; allowed: 0 to 1125899906842624
          /a;3;t;t;0;2;200;0;0;-rw;u;g             | 2: preferred block size is 0 for a file of replication 3
          """)
  void namesLineAndReason(String line, String complaint) {
    Path file = listing("\t", HEADER, line);
    assertEquals(complaint, complaint(() -> files(file)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          HDFSIMG1abc             | is an fsimage, not its text
          <?xml version="1.0"?>   | is the viewer's XML
          /a;3                    | begins with '/a\\u00093'
          PathReplication         | begins with 'PathReplication'
          Path;Replication;Size   | has columns 'Path Replication Size'
          """)
  void wantsTheViewersHeader(String line, String complaint) {
    Path file = listing("\t", line);
    assertEquals(
        "1: "
            + complaint
            + "; expected the header of 'hdfs oiv -p Delimited -i <fsimage> -o <text>'",
        complaint(() -> files(file)));
  }

  @Test
  void takesAShareEvenly() throws InputException {
    List<String> lines = new ArrayList<>(List.of(HEADER));
    for (int i = 0; i < 100; i++) {
      lines.add(FILE.replace(";200;", ";" + i + ";"));
    }
    Path listing = listing("\t", lines.toArray(String[]::new));
    assertEquals(100, ListedFiles.read(listing, 1).storedFiles().count());
    List<StoredFile> quarter = ListedFiles.read(listing, 0.25).storedFiles().toList();
    assertEquals(25, quarter.size());
    assertEquals(new StoredFile(0, 3, 128, 3), quarter.get(0));
    assertEquals(new StoredFile(24, 99, 128, 3), quarter.get(24));
  }
}
