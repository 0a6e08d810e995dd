package org.rackweave.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.Rackweave.Command;

class RackweaveTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final List<String> seen = new ArrayList<>();
  private String seenFs;
  private final Rackweave rackweave = rackweave(Rackweave.COMMANDS);

  @Test
  void handsTheCommandItsArgumentsAndItsExitCodeBack() throws Exception {
    Rackweave cli = rackweave(List.of(Command.here("fake", "does", () -> new Fake(7))));
    assertEquals(7, cli.run("fake", "--json", "file", "--policy", "both"));
    assertEquals(List.of("--json", "file", "--policy", "both"), seen);
  }

  @Test
  void commandsOfAnHdfsTakeItsNameInFrontBehindAndBetween() throws Exception {
    Rackweave cli = rackweave(List.of(Command.ofHdfs("fake", "does", () -> new Fake(7))));
    List<String> others = List.of("plan", "--apply", "3", "--json", "file");
    for (int at = 0; at <= others.size(); at++) {
      if (at == 2 || at == others.size() - 1) {
        continue; // between an option and its value
      }
      List<String> args = new ArrayList<>(others);
      args.addAll(at, List.of("-fs", "hdfs://there:1"));
      args.add(0, "fake");
      seen.clear();
      seenFs = "";
      assertEquals(7, cli.run(args.toArray(String[]::new)));
      assertEquals(others, seen);
      assertEquals("hdfs://there:1", seenFs);
    }
  }

  @Test
  void leavesAnHdfsWithoutANameToTheCommandToRefuse() throws Exception {
    Rackweave cli = rackweave(List.of(Command.ofHdfs("fake", "does", () -> new Fake(7))));
    cli.run("fake", "status", "-fs");
    assertEquals(List.of("status", "-fs"), seen);
    assertEquals(Rackweave.EXIT_USAGE, rackweave.run("eafr", "status", "-fs"));
  }

  @Test
  void leavesArgumentsOfOtherCommandsAlone() throws Exception {
    Rackweave cli = rackweave(List.of(Command.here("fake", "does", () -> new Fake(7))));
    cli.run("fake", "run", "-fs", "hdfs://there:1");
    assertEquals(List.of("run", "-fs", "hdfs://there:1"), seen);
  }

  /** The usage texts promise {@code -fs}; found by it, so that none is forgotten. */
  @Test
  void everyCommandThatOffersAnHdfsTakesOne() throws Exception {
    for (Command command : Rackweave.COMMANDS) {
      PrintStream before = System.out;
      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      System.setOut(new PrintStream(printed, true, UTF_8));
      try {
        command.tool().get().run(new String[] {"--help"});
      } finally {
        System.setOut(before);
      }
      assertEquals(printed.toString(UTF_8).contains("-fs URI"), command.asksHdfs(), command.name());
    }
  }

  @Test
  void namesTheUnknownCommandAndListsTheKnown() throws Exception {
    assertEquals(Rackweave.EXIT_USAGE, rackweave.run("dmeo"));
    String text = err.toString(UTF_8);
    assertTrue(text.startsWith("rackweave: no command 'dmeo'"), text);
    assertTrue(text.contains("version"), text);
    assertEquals("", out.toString(UTF_8));
  }

  @Test
  void printsUsageAsAnErrorWhenNoCommandIsGiven() throws Exception {
    assertEquals(Rackweave.EXIT_USAGE, rackweave.run());
    assertEquals(rackweave.usage(), err.toString(UTF_8));
  }

  @Test
  void printsUsageWhenAskedForHelp() throws Exception {
    assertEquals(0, rackweave.run("--help"));
    assertEquals(rackweave.usage(), out.toString(UTF_8));
  }

  @Test
  void theLauncherPrintsTheSameUsageWithoutBuilding() throws Exception {
    Process launcher = new ProcessBuilder("bin/rackweave", "--help").start();
    String printed = new String(launcher.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, launcher.waitFor());
    assertEquals(rackweave.usage(), printed);
  }

  @Test
  void versionNamesTheHadoopItRunsOn() throws Exception {
    PrintStream print = new PrintStream(out, true, UTF_8);
    assertEquals(0, new VersionCommand(print).run(new String[0]));
    assertTrue(out.toString(UTF_8).contains("Hadoop " + VersionInfo.getVersion()));
  }

  private Rackweave rackweave(List<Rackweave.Command> commands) {
    return new Rackweave(
        commands, new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
  }

  private final class Fake extends Configured implements Tool {
    private final int exitCode;

    Fake(int exitCode) {
      this.exitCode = exitCode;
    }

    @Override
    public int run(String[] args) {
      seen.addAll(List.of(args));
      seenFs = getConf().get("fs.defaultFS");
      return exitCode;
    }
  }
}
