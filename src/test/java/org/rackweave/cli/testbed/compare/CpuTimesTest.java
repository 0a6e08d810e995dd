package org.rackweave.cli.testbed.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.cli.testbed.compare.CpuTimes.OneProcess;

class CpuTimesTest {

  @TempDir Path proc;

  private void process(long pid, String name, long parent, long user, long system)
      throws IOException {
    Path directory = Files.createDirectory(proc.resolve(String.valueOf(pid)));
    Files.writeString(
        directory.resolve("stat"),
        pid
            + " ("
            + name
            + ") S "
            + parent
            + " 1 1 0 -1 0 0 0 0 0 "
            + user
            + " "
            + system
            + " 5 6 20 0 9 0 "
            + (1000 + pid)
            + " 0 0\n");
  }

  @Test
  void readsProcessesWhateverTheirNames() throws IOException {
    process(7, "java", 1, 30, 12);
    process(8, "a) b (c d", 7, 1, 2);
    Files.createDirectory(proc.resolve("sys"));
    Files.createDirectory(proc.resolve("9"));
    Files.writeString(proc.resolve("stat"), "cpu  100 10 40 800 30 7 8 5 3 2\ncpu0 1 2 3\n");
    CpuTimes times = CpuTimes.read(proc);
    assertEquals(
        Map.of(7L, new OneProcess(1, 1007, 42, 11), 8L, new OneProcess(7, 1008, 3, 11)),
        times.processes());
    assertEquals(1000, times.totalTicks());
    assertEquals(155, times.busyTicks());
  }

  @Test
  void refusesWhatIsNotProcfs() throws IOException {
    Files.writeString(proc.resolve("stat"), "hello\n");
    assertThrows(IOException.class, () -> CpuTimes.read(proc));
  }

  /** 1 is init, 10 the comparison, 11 its child, 20 a DataNode by itself, 30 somebody else. */
  private static CpuTimes at(long total, long busy, Map<Long, OneProcess> processes) {
    return new CpuTimes(total, busy, processes);
  }

  private static OneProcess of(long parent, long ticks) {
    return new OneProcess(parent, 0, ticks, 0);
  }

  @Test
  void foreignIsWhatWasBusyAndNotOurs() {
    ForeignCpu cpu =
        new ForeignCpu(
            at(0, 0, Map.of(10L, of(1, 50), 20L, of(1, 70), 30L, of(1, 90))),
            10,
            Set.of(10L, 20L)::contains);
    assertEquals(0, cpu.share());
    // 11 is new and has used 5 already; ours have used 10 + 5 + 15 of the 80 that were busy.
    cpu.update(
        at(200, 80, Map.of(10L, of(1, 60), 11L, of(10, 5), 20L, of(1, 85), 30L, of(1, 140))));
    assertEquals((80 - 30) / 200.0, cpu.share(), 1e-12);
    assertEquals(0.4, cpu.busyShare(), 1e-12);
  }

  @Test
  void aReusedProcessNumberIsAnotherProcess() {
    ForeignCpu cpu =
        new ForeignCpu(
            at(0, 0, Map.of(20L, new OneProcess(1, 100, 70, 0))), 10, Set.of(20L)::contains);
    cpu.update(at(100, 40, Map.of(20L, new OneProcess(1, 900, 30, 0))));
    assertEquals((40 - 30) / 100.0, cpu.share(), 1e-12);
  }

  @Test
  void childrenThatEndUnseenAreOursAndThoseSeenAreNotCountedTwice() {
    ForeignCpu cpu =
        new ForeignCpu(
            at(0, 0, Map.of(10L, new OneProcess(1, 0, 50, 0), 11L, of(10, 40))),
            10,
            pid -> pid == 10L);
    // 11 has ended after 2 more ticks, and another child that nobody saw has used 8.
    cpu.update(at(100, 30, Map.of(10L, new OneProcess(1, 0, 55, 50))));
    assertEquals((30 - 5 - 10) / 100.0, cpu.share(), 1e-12);
  }
}
