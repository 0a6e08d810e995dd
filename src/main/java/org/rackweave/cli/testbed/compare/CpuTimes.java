package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.StringTokenizer;

/**
 * Processor time since the machine started, as procfs tells it, in clock ticks.
 *
 * @param totalTicks all time there was, on all processors
 * @param busyTicks what programs and the hypervisor took of it. Interrupts are left out: they serve
 *     the testbed's own packets, and no process is charged with them.
 * @param processes by process number
 */
record CpuTimes(long totalTicks, long busyTicks, Map<Long, OneProcess> processes) {

  private static final int USER = 0;
  private static final int NICE = 1;
  private static final int SYSTEM = 2;
  private static final int STEAL = 7;

  /** Fields 9 and 10 of the line are parts of the first two. */
  private static final int DISTINCT_FIELDS = 8;

  /**
   * One process.
   *
   * @param parent number of the process that started it, or that took it over
   * @param startedTicks when it started: process numbers are used again
   * @param ticks what it has used, its children not included
   * @param endedChildrenTicks what children of it have used that have ended
   */
  record OneProcess(long parent, long startedTicks, long ticks, long endedChildrenTicks) {}

  /** Reads procfs. */
  static CpuTimes read(Path proc) throws IOException {
    Map<Long, OneProcess> processes = new HashMap<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(proc, "[1-9]*")) {
      for (Path entry : entries) {
        try {
          processes.put(
              Long.parseLong(String.valueOf(entry.getFileName())),
              process(Files.readString(entry.resolve("stat"))));
        } catch (IOException ended) {
          // Processes come and go while we look.
          continue;
        }
      }
    }
    long[] line = cpuLine(Files.readString(proc.resolve("stat")));
    long total = 0;
    for (int i = 0; i < DISTINCT_FIELDS; i++) {
      total += line[i];
    }
    long busy = line[USER] + line[NICE] + line[SYSTEM] + line[STEAL];
    return new CpuTimes(total, busy, Map.copyOf(processes));
  }

  private static long[] cpuLine(String stat) throws IOException {
    long[] fields = new long[DISTINCT_FIELDS];
    StringTokenizer words = new StringTokenizer(stat);
    try {
      words.nextToken();
      for (int i = 0; i < fields.length; i++) {
        fields[i] = Long.parseLong(words.nextToken());
      }
      return fields;
    } catch (NoSuchElementException | NumberFormatException e) {
      throw new IOException("/proc/stat begins with '" + stat.lines().findFirst() + "'", e);
    }
  }

  /** Reads the line of one process; its name may hold anything, blanks and brackets included. */
  static OneProcess process(String stat) throws IOException {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
    if (fields.length < 20) {
      throw new NoSuchFileException("no process: " + stat);
    }
    return new OneProcess(
        Long.parseLong(fields[1]),
        Long.parseLong(fields[19]),
        Long.parseLong(fields[11]) + Long.parseLong(fields[12]),
        Long.parseLong(fields[13]) + Long.parseLong(fields[14]));
  }
}
