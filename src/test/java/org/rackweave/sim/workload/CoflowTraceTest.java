package org.rackweave.sim.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.rackweave.sim.workload.Inputs.complaint;
import static org.rackweave.sim.workload.Inputs.write;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoflowTraceTest {
  private static final long MIB = 1 << 20;

  @TempDir Path directory;

  @Test
  void readsMappersAndReducers() throws InputException {
    Path file = write(directory, "4 2", "7 0 1 3 1 0:5.0", "8 125 2 0 1 2 2:0.5 3:972.0");
    assertEquals(
        new CoflowTrace(
            4,
            List.of(
                new Coflow(7, 0, List.of(3), List.of(new Coflow.Reducer(0, 5 * MIB))),
                new Coflow(
                    8,
                    125,
                    List.of(0, 1),
                    List.of(new Coflow.Reducer(2, MIB / 2), new Coflow.Reducer(3, 972 * MIB))))),
        CoflowTrace.read(file));
  }

  @Test
  void knowsWidthLengthAndSize() {
    Coflow coflow =
        new Coflow(
            1,
            0,
            List.of(0, 1),
            List.of(
                new Coflow.Reducer(2, 10), new Coflow.Reducer(3, 40), new Coflow.Reducer(4, 6)));
    assertEquals(6, coflow.width());
    assertEquals(20, coflow.lengthBytes());
    assertEquals(56, coflow.sizeBytes());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 0 1 4 1 0:1.0      | 2: rack of mapper 1 is '4'; allowed: 0 to 3
          1 0 1 3 1 0:1.0 9    | 2: goes on with '9'
          1 0 2 3 1            | 2: ends where number of reducers is expected
          1 0 0 1 0:1.0        | 2: number of mappers is '0'; allowed: 1 to 20000000
          1 0 1 3 2 0:1.0      | 2: ends where reducer 2 is expected
          1 0 1 3 1 0          | 2: reducer 1 is '0'; expected '<rack>:<MB>'
          1 0 1 3 1 -1:1.0     | 2: rack of reducer 1 is '-1'; allowed: 0 to 3
          1 0 1 3 1 0:-1.0     | 2: MB of reducer 1 is '-1.0'; allowed: 0 to 1073741824
          1 0 1 3 1 0:NaN      | 2: MB of reducer 1 is 'NaN'; allowed: 0 to 1073741824
          1 0 1 3 1 0:much     | 2: MB of reducer 1 is 'much'; allowed: 0 to 1073741824
          1 -5 1 3 1 0:1.0     | 2: arrival in ms is '-5'; allowed: 0 to 86400000000
          one 0 1 3 1 0:1.0    | 2: coflow id is 'one'; allowed: 0 to 9223372036854775807
          """)
  void namesLineAndReason(String line, String complaint) {
    Path file = write(directory, "4 2", line, "2 0 1 3 1 0:1.0");
    assertEquals(complaint, complaint(() -> CoflowTrace.read(file)));
  }

  @Test
  void arrivalsDoNotGoBack() {
    Path file = write(directory, "4 2", "1 100 1 3 1 0:1.0", "2 99 1 3 1 0:1.0");
    assertEquals(
        "3: arrival in ms is '99'; allowed: 100 to 86400000000",
        complaint(() -> CoflowTrace.read(file)));
  }

  @Test
  void countsWhatLineOneAnnounces() {
    Path less = write(directory, "4 2", "1 100 1 3 1 0:1.0");
    assertEquals(
        "3: the file ends after 1 coflows, line 1 says 2", complaint(() -> CoflowTrace.read(less)));
    Path more = write(directory, "4 1", "1 100 1 3 1 0:1.0", "2 100 1 3 1 0:1.0");
    assertEquals(
        "3: one more coflow than the 1 of line 1", complaint(() -> CoflowTrace.read(more)));
    Path empty = write(directory, new byte[0]);
    assertEquals(
        "0: is empty; expected '<racks> <coflows>' in line 1",
        complaint(() -> CoflowTrace.read(empty)));
    Path racks = write(directory, "0 0");
    assertEquals(
        "1: number of racks is '0'; allowed: 1 to 1000000",
        complaint(() -> CoflowTrace.read(racks)));
  }

  @Test
  void readsThePublicHour() throws InputException {
    CoflowTrace trace = CoflowTrace.read(Inputs.trace(Inputs.COFLOWS));
    assertEquals(150, trace.racks());
    assertEquals(526, trace.coflows().size());
    assertEquals(3_629_235, trace.coflows().get(525).arrivalMs());
    assertEquals(35_533_534 * MIB, trace.coflows().stream().mapToLong(Coflow::sizeBytes).sum());
    assertEquals(706_397, trace.coflows().stream().mapToLong(Coflow::width).sum());
  }
}
