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

class SwimTraceTest {
  @TempDir Path directory;

  @Test
  void readsJobs() throws InputException {
    Path file = write(directory, "job0\t49\t49\t7\t8\t9", "job1\t49\t0\t1\t0\t3\t/in/put");
    assertEquals(
        new SwimTrace(
            List.of(new SwimJob("job0", 49_000, 7, 8, 9), new SwimJob("job1", 49_000, 1, 0, 3))),
        SwimTrace.read(file));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          job1;50;1;7;8         | 2: has 5 tab-separated fields; expected 6 or 7
          job1;50;1;7;8;9;/a;b  | 2: has 8 tab-separated fields; expected 6 or 7
          job1;48;0;7;8;9       | 2: submit time in s is '48'; allowed: 49 to 10000000000
          job1;50;2;7;8;9       | 2: gap is 2 s, but the submit time is 1 s after the last
          job1;50;1;-7;8;9      | 2: input bytes is '-7'; allowed: 0 to 1125899906842624
          job1;50;1;7;8.5;9     | 2: shuffle bytes is '8.5'; allowed: 0 to 1125899906842624
          job1;50;1;7;8;        | 2: output bytes is ''; allowed: 0 to 1125899906842624
          ' ;50;1;7;8;9'        | 2: has no job name in its first field
          """)
  void namesLineAndReason(String line, String complaint) {
    Path file = write(directory, "job0\t49\t49\t7\t8\t9", line.replace(';', '\t'));
    assertEquals(complaint, complaint(() -> SwimTrace.read(file)));
  }

  @Test
  void wantsAJob() {
    Path empty = write(directory, new byte[0]);
    assertEquals("0: is empty; expected one job a line", complaint(() -> SwimTrace.read(empty)));
  }

  @Test
  void readsThePublicDay() throws InputException {
    List<SwimJob> jobs = SwimTrace.read(Inputs.trace(Inputs.SWIM)).jobs();
    assertEquals(5_894, jobs.size());
    assertEquals(new SwimJob("job0", 49_000, 740_773, 2_339_561, 627_471), jobs.get(0));
    assertEquals(86_404_000, jobs.get(5_893).submitMs());
    assertEquals(26_886_497_357_605L, jobs.stream().mapToLong(SwimJob::inputBytes).sum());
    assertEquals(22_216_712_306_762L, jobs.stream().mapToLong(SwimJob::shuffleBytes).sum());
    assertEquals(6_852_686_303_142L, jobs.stream().mapToLong(SwimJob::outputBytes).sum());
  }
}
