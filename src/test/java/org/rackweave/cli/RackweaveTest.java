package org.rackweave.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rackweave.cli.Rackweave.Command;
import picocli.CommandLine.Option;

class RackweaveTest {

  /** What a command needs to be asked at all. */
  private static final Map<String, List<String>> MORE =
      Map.of(
          "eafr", List.of("status"),
          "shadow", List.of("report"),
          "uninstall", List.of("--check"),
          "version", List.of("--cluster"),
          "whatif", List.of("--node", "dn1"));

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final List<String> seen = new ArrayList<>();
  private String seenFs;
  private final Rackweave rackweave =
      Rackweave.installed(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
  private final Rackweave checkout =
      Checkout.rackweave(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));

  static Stream<Command> commandsOfAnInstalledHadoop() {
    return Rackweave.COMMANDS.stream();
  }

  @Test
  void aCheckoutHasAllCommandsInOneOrder() {
    List<String> names =
        Stream.concat(
                Rackweave.COMMANDS.stream().map(Command::name), Rackweave.CHECKOUT_ONLY.stream())
            .sorted()
            .toList();
    assertEquals(names, Checkout.COMMANDS.stream().map(Command::name).toList());
  }

  /** docs/reference.md has these exit codes for every command. */
  @ParameterizedTest
  @MethodSource("commandsOfAnInstalledHadoop")
  void exitCodesAreTheSameForEveryCommand(Command command) throws Exception {
    assertEquals(0, rackweave.run(command.name(), "--help"));
    assertEquals(2, rackweave.run(command.name(), "--no-such-option"));
    if (command.tool().get() instanceof HdfsCommand) {
      List<String> line = new ArrayList<>(List.of(command.name(), "-fs", "file:///"));
      line.addAll(MORE.getOrDefault(command.name(), List.of()));
      assertEquals(1, rackweave.run(line.toArray(String[]::new)));
    } else {
      assertEquals(0, rackweave.run(command.name()));
    }
  }

  @Test
  void commandsOfAnInstalledHadoopCallThemselvesSo() throws Exception {
    Command fake = new Command("of-hdfs", "does", this::ofHdfs);
    PrintStream print = new PrintStream(err, true, UTF_8);
    assertEquals(
        2, new Rackweave("hdfs rackweave", List.of(fake), "", print, print).run("of-hdfs", "x"));
    assertTrue(
        err.toString(UTF_8).contains("hdfs rackweave of-hdfs --help tells more"), err::toString);
  }

  @Test
  void saysWhereCommandsAreThatAnInstalledHadoopHasNot() throws Exception {
    for (String name : Rackweave.CHECKOUT_ONLY) {
      err.reset();
      assertEquals(2, rackweave.run(name));
      assertTrue(
          err.toString(UTF_8).endsWith("sources: bin/rackweave " + name + "\n"), err::toString);
    }
    assertTrue(rackweave.usage().contains(String.join(", ", Rackweave.CHECKOUT_ONLY)));
  }

  @Test
  void handsTheCommandItsArgumentsAndItsExitCodeBack() throws Exception {
    Rackweave cli = rackweave(List.of(new Command("fake", "does", () -> new Fake(7))));
    assertEquals(7, cli.run("fake", "--json", "file", "--policy", "both"));
    assertEquals(List.of("--json", "file", "--policy", "both"), seen);
  }

  /** Hadoop's parser drops all arguments then, and the command would do something else. */
  @Test
  void aGenericOptionWithoutItsValueRunsNothing() throws Exception {
    Rackweave cli = rackweave(List.of(new Command("fake", "does", () -> new Fake(7))));
    assertEquals(2, cli.run("fake", "-D"));
    assertEquals(List.of(), seen);
  }

  /** Found by their usage, so that none is forgotten. */
  @Test
  void theLauncherGivesCommandsOfAnHdfsItsConfiguration() throws Exception {
    Pattern names = Pattern.compile("^  (\\S+( \\| \\S+)+)\\) conf_dir=", Pattern.MULTILINE);
    Matcher launcher = names.matcher(Files.readString(Path.of("bin/rackweave")));
    assertTrue(launcher.find());
    Set<String> given = Set.of(launcher.group(1).split(" \\| "));
    for (Command command : Checkout.COMMANDS) {
      Tool tool = command.tool().get();
      assertEquals(tool instanceof HdfsCommand, given.contains(command.name()), command.name());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-fs hdfs://there:1 go --deep f",
        "go -fs hdfs://there:1 --deep f",
        "go --deep f -fs hdfs://there:1"
      })
  void commandsOfAnHdfsTakeItsNameInFrontBehindAndBetween(String line) throws Exception {
    assertEquals(0, ToolRunner.run(new Configuration(), ofHdfs(), line.split(" ")));
    assertEquals(List.of("f"), seen);
    assertEquals("hdfs://there:1", seenFs);
  }

  @Test
  void anHdfsHasAName() throws Exception {
    assertEquals(2, ToolRunner.run(new Configuration(), ofHdfs(), new String[] {"go", "-fs"}));
    assertTrue(err.toString(UTF_8).contains("parameter for option '-fs' (URI)"), err::toString);
    assertEquals(Rackweave.EXIT_USAGE, rackweave.run("eafr", "status", "-fs"));
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
    assertEquals(checkout.usage(), printed);
  }

  @Test
  void bashCompletesCommandsAndTheirOptions() throws Exception {
    assertEquals(0, rackweave.run("--completion"));
    String asks =
        """

        COMP_WORDS=(hdfs rackweave "$@"); COMP_CWORD=$(($# + 1))
        _complete_hdfs && printf '%s\\n' "${COMPREPLY[@]}"
        """;
    String script = out.toString(UTF_8) + asks;
    assertEquals(List.of("recovery", "reload"), completed(script, "re"));
    assertEquals(List.of("--apply"), completed(script, "eafr", "plan", "--a"));
  }

  private static List<String> completed(String script, String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", "-c", script, "bash"));
    command.addAll(List.of(words));
    Process bash = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    String printed = new String(bash.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, bash.waitFor());
    return printed.lines().map(String::strip).sorted().toList();
  }

  @Test
  void versionNamesTheHadoopItRunsOn() throws Exception {
    PrintStream print = new PrintStream(out, true, UTF_8);
    assertEquals(0, new VersionCommand(print, print).run(new String[0]));
    assertTrue(out.toString(UTF_8).contains("Hadoop " + VersionInfo.getVersion()));
  }

  private OfHdfs ofHdfs() {
    return new OfHdfs(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
  }

  private Rackweave rackweave(List<Rackweave.Command> commands) {
    return new Rackweave(
        "bin/rackweave",
        commands,
        "",
        new PrintStream(out, true, UTF_8),
        new PrintStream(err, true, UTF_8));
  }

  @picocli.CommandLine.Command(name = "bin/rackweave of-hdfs")
  private final class OfHdfs extends HdfsCommand {
    OfHdfs(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @picocli.CommandLine.Command
    void go(@Option(names = "--deep") String deep) {
      seen.add(deep);
      seenFs = getConf().get("fs.defaultFS");
    }
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
