package org.rackweave.cli.testbed.compare.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes between the comparison and its workers. */
class LinesTest {

  static List<Order> tasks() {
    return List.of(
        new Order.Go(3, 1_700_000_000_000L),
        new Order.Stop(),
        new Order.TellReceived(),
        new Task.Write("3-1", 4200, "/compare/3-1", 8 << 20, 8 << 20, List.of()),
        new Task.Write("f", 0, "/fill/f", 1, 1 << 20, List.of("10.0.0.1", "10.0.0.2")),
        new Task.Read("r", 17, "/a/b", "/a/c"),
        new Task.Copy("c", 0, "/from", "/to"),
        new Task.Encode(
            "e",
            5,
            "rs-2-1",
            List.of(
                new Task.Stripe(List.of("/a", "/b"), List.of("/p"), List.of("10.0.0.1")),
                new Task.Stripe(List.of("/c"), List.of("/q"), List.of("10.0.0.2")))),
        new Task.Load(20_000, Task.Load.UNTIL_TOLD, "10.0.0.9", 4, 3));
  }

  static List<Report> reports() {
    return List.of(
        new Report.Ready(),
        new Report.Done(7, "3-1", 4_200_000, 4_200_120, 5_300_000, 8 << 20, "-"),
        new Report.Done(7, "r", -5, 0, 1, 0, "10.0.0.1"),
        new Report.Failed(0, "3-2", "java.io.IOException: no such file"),
        new Report.Received(1L << 40));
  }

  @ParameterizedTest
  @MethodSource("tasks")
  void ordersSurviveTheWay(Order task) {
    assertEquals(task, Lines.parse(Lines.of(task), Order.class));
  }

  @ParameterizedTest
  @MethodSource("reports")
  void reportsSurviveTheWay(Report report) {
    assertEquals(report, Lines.parse(Lines.of(report), Report.class));
  }

  @Test
  void aFailureOfSeveralLinesIsStillOneLine() {
    Report failed = new Report.Failed(3, "w", "first\n\tsecond");
    assertEquals(1, Lines.of(failed).lines().count());
    assertEquals(failed, Lines.parse(Lines.of(failed), Report.class));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "sing", "{}", "{\"order\":\"sing\"}", "{\"order\":\"copy\",\"id\":\"c\"}"})
  void whatIsNoOrderIsRefused(String line) {
    assertThrows(IllegalArgumentException.class, () -> Lines.parse(line, Order.class));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "well",
        "{\"report\":\"done\"}",
        "{\"report\":\"received\",\"sizeBytes\":\"many\"}"
      })
  void whatIsNoReportIsRefused(String line) {
    assertThrows(IllegalArgumentException.class, () -> Lines.parse(line, Report.class));
  }

  @Test
  void aLateStartCountsFromWhenItWasDue() {
    assertEquals(1.5, new Report.Done(7, "w", 500_000, 900_000, 2_000_000, 0, "-").seconds());
  }

  @Test
  void contentIsWhatItsPathSaysAndNothingElse() throws IOException {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    Content.write("/a", 100_001, written);
    byte[] bytes = written.toByteArray();
    assertEquals(100_001, Content.verify("/a", new ByteArrayInputStream(bytes)));
    assertThrows(IOException.class, () -> Content.verify("/b", new ByteArrayInputStream(bytes)));
    bytes[70_000] ^= 1;
    assertThrows(IOException.class, () -> Content.verify("/a", new ByteArrayInputStream(bytes)));
  }
}
