package org.rackweave.sim.workload;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Jobs in the format of the SWIM workload repository: tab-separated {@code <job> <submit s> <gap s>
 * <input bytes> <shuffle bytes> <output bytes>}, by ascending submission; a seventh field, the path
 * of the input, is let pass.
 *
 * @param jobs by ascending submission
 */
public record SwimTrace(List<SwimJob> jobs) {

  /** About 1 GB of memory. */
  static final int JOBS_MAX = 10_000_000;

  private static final long SUBMIT_MAX_SEC = 10_000_000_000L;
  private static final long BYTES_MAX = 1L << 50;

  public SwimTrace {
    jobs = List.copyOf(jobs);
  }

  /**
   * Reads a whole trace.
   *
   * @throws InputException naming the first line that is wrong; nothing of the file is used then
   */
  public static SwimTrace read(Path file) throws InputException {
    List<SwimJob> jobs = new ArrayList<>();
    try (InputLines lines = new InputLines(file)) {
      long submitSec = 0;
      for (String line = lines.next(); line != null; line = lines.next()) {
        if (jobs.size() == JOBS_MAX) {
          throw lines.bad("more than " + JOBS_MAX + " jobs");
        }
        String[] fields = line.split("\t", -1);
        if (fields.length < 6 || fields.length > 7) {
          throw lines.bad("has " + fields.length + " tab-separated fields; expected 6 or 7");
        }
        long previousSec = submitSec;
        submitSec = lines.number("submit time in s", fields[1], previousSec, SUBMIT_MAX_SEC);
        checkGap(lines, fields[2], submitSec - previousSec);
        jobs.add(job(lines, fields, submitSec));
      }
    }
    if (jobs.isEmpty()) {
      throw new InputException(file, 0, "is empty; expected one job a line");
    }
    return new SwimTrace(jobs);
  }

  /** The gap repeats what the submit times say; where it does not, fields are mixed up. */
  private static void checkGap(InputLines lines, String text, long expectedSec)
      throws InputException {
    long gapSec = lines.number("gap in s", text, 0, SUBMIT_MAX_SEC);
    if (gapSec != expectedSec) {
      throw lines.bad(
          "gap is " + gapSec + " s, but the submit time is " + expectedSec + " s after the last");
    }
  }

  private static SwimJob job(InputLines lines, String[] fields, long submitSec)
      throws InputException {
    if (fields[0].isBlank()) {
      throw lines.bad("has no job name in its first field");
    }
    return new SwimJob(
        fields[0],
        submitSec * 1000,
        lines.number("input bytes", fields[3], 0, BYTES_MAX),
        lines.number("shuffle bytes", fields[4], 0, BYTES_MAX),
        lines.number("output bytes", fields[5], 0, BYTES_MAX));
  }
}
