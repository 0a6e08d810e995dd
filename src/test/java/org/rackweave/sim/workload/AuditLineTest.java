package org.rackweave.sim.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.rackweave.sim.workload.Inputs.complaint;
import static org.rackweave.sim.workload.Inputs.write;

import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditLineTest {
  private static final String TIME = "2024-05-01 12:00:00,123";
  private static final String HEAD = TIME + " INFO FSNamesystem.audit: ";
  private static final String BODY =
      "allowed=true\tugi=amy (auth:PROXY) via hive/h@R (auth:KERBEROS)\tip=/10.0.0.1\tcmd=open"
          + "\tsrc=/a b\tdst=null\tperm=null\tproto=rpc";

  @TempDir Path directory;

  private AuditEvent event(String line) throws InputException {
    try (InputLines lines = new InputLines(write(directory, line))) {
      return AuditLine.parse(lines, lines.next());
    }
  }

  @Test
  void readsWhatTheNameNodeWrites() throws InputException {
    long atMs =
        LocalDateTime.of(2024, 5, 1, 12, 0, 0, 123_000_000)
            .toInstant(ZoneOffset.UTC)
            .toEpochMilli();
    AuditEvent expected = new AuditEvent(atMs, true, "10.0.0.1", "open", "/a b", "");
    assertEquals(expected, event(HEAD + BODY));
    assertEquals(expected, event(HEAD.replace(' ', 'T').replace(',', '.') + BODY));
    assertEquals(expected, event(TIME + "Z [IPC Server handler 4] FSNamesystem:8931 - " + BODY));
  }

  @Test
  void readsFailuresAndNulls() throws InputException {
    String line = HEAD + BODY.replace("=true", "=false").replace("/10.0.0.1", "null");
    AuditEvent event = event(line.replace("src=/a b", "src=null"));
    assertEquals(new AuditEvent(event.atMs(), false, "", "open", "", ""), event);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          plain                          | plain
          \\"quoted\\" a\\\\b            | "quoted" a\\b
          tab\\there                     | tab\there
          \\u00E4\\u20AC                 | ä€
          slash\\/old                    | slash/old
          broken \\u00 \\q \\            | broken \\u00 \\q \\
          """)
  void undoesJavasEscapesAndKeepsWhatIsNone(String logged, String path) throws InputException {
    // The text block has undone one level of backslashes; what is left is as logged.
    assertEquals("/" + path, event(HEAD + BODY.replace("/a b", "/" + logged)).source());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          clientIp:10.9.8.7,clientPort:4711              | 10.9.8.7
          mr_job_7,clientIp:fe80::1:2,clientPort:4711    | fe80::1:2
          clientIp:10.9.8                                | 10.0.0.1
          clientIp:10.9.8.7                              | 10.0.0.1
          clientIp:                                      | 10.0.0.1
          mr_job_7                                       | 10.0.0.1
          """)
  void believesTheRouterAboutTheClient(String context, String client) throws InputException {
    assertEquals(client, event(HEAD + BODY + "\tcallerContext=" + context).client());
    String signed = "\ttrackingId=x\tproto=rpc\tcallerContext=" + context + ":signature";
    assertEquals(client, event(HEAD + BODY + signed).client());
  }

  @Test
  void readsOtherAddresses() throws InputException {
    assertEquals("0:0:0:1", event(HEAD + BODY.replace("/10.0.0.1", "/0:0:0:1")).client());
    assertEquals("10.0.0.1", event(HEAD + BODY.replace("=/10", "=dn1/10")).client());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2024-05-01                | 1: begins with '2024-05-01'; expected a time like 2024-05-01 12:00:00,123
          2024-02-30 12:00:00,123 x | 1: there is no day '2024-02-30'
          2024-05-01 24:00:00,123 x | 1: has 24 in its time where 23 is the most
          2024-05-01 12:00:0x,123 x | 1: has '0x' in its time
          """)
  void namesABadTime(String line, String complaint) {
    assertEquals(complaint, complaint(() -> event(line)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          allowed=true  | allowed=maybe | 1: allowed is 'maybe'; allowed: true or false
          ugi=amy       | user=amy      | 1: has 'user=amy (auth:PROXY) via hive/h@R (auth:KERBEROS)' where 'ugi=' is expected
          cmd=open      | cmd=          | 1: cmd is empty
          allowed=      | permitted=    | 1: has no 'allowed=': no line of the audit logger (where other loggers write into the same file, keep what 'grep FSNamesystem.audit' finds)
          """)
  void namesABadField(String good, String bad, String complaint) {
    assertEquals(complaint, complaint(() -> event(HEAD + BODY.replace(good, bad))));
  }

  @Test
  void namesAMissingField() {
    String cut = BODY.substring(0, BODY.indexOf("\tdst="));
    assertEquals("1: ends where 'dst=' is expected", complaint(() -> event(HEAD + cut)));
  }
}
