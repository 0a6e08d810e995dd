package org.rackweave.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.GenericOptionsParser;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.Rackweave.Command;
import org.rackweave.hdfs.dayu.RecoverySwitch;
import org.rackweave.hdfs.eafr.EafrAdmin;
import org.rackweave.hdfs.ear.EncodingAdmin;
import org.rackweave.hdfs.namenode.HealthAdmin;
import org.rackweave.hdfs.namenode.RuntimeSwitch;
import org.rackweave.hdfs.namenode.SettingsReload;
import org.rackweave.hdfs.namenode.ShadowAdmin;
import org.rackweave.hdfs.namenode.WhyAdmin;
import org.rackweave.hdfs.rules.RulesAdmin;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;

/** Every command that README, docs and examples show is understood by the parser of its verb. */
class DocumentedCommandsTest {
  private static final Pattern COMMAND =
      Pattern.compile(
          "(?:^|(?<=[\\s(`:]))(bin/rackweave|hdfs rackweave|docker/testbed)"
              + " +((?:'[^']*'|[^'#|>)<`\\n"
              + "])*)",
          Pattern.MULTILINE);
  private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\\S)+");
  private static final Pattern CODE_SPAN = Pattern.compile("`([^`]+)`");
  private static final Pattern REFRESH = Pattern.compile("-refresh \\S+ (rackweave[-\\w]*)");

  private record Shown(Path page, String program, String line, boolean isWhole) {
    @Override
    public String toString() {
      return page + ": " + program + ' ' + line;
    }
  }

  private static List<Path> texts() throws IOException {
    List<Path> texts = new ArrayList<>();
    for (String directory : List.of("docs", "conf", "docker", ".")) {
      try (Stream<Path> files = Files.walk(Path.of(directory), directory.equals(".") ? 1 : 3)) {
        files
            .filter(file -> file.toString().matches(".*\\.(md|xml|ya?ml|json)"))
            .filter(file -> !file.endsWith("pom.xml"))
            .forEach(texts::add);
      }
    }
    return texts;
  }

  private static List<Shown> shown() throws IOException {
    List<Shown> shown = new ArrayList<>();
    for (Path page : texts()) {
      StringBuilder code = new StringBuilder();
      StringBuilder spans = new StringBuilder();
      boolean isBlock = false;
      for (String line : Files.readAllLines(page)) {
        boolean isFence = line.strip().startsWith("```");
        if (isBlock && !isFence) {
          code.append(line).append('\n');
        } else if (page.toString().endsWith(".md")) {
          CODE_SPAN
              .matcher(line)
              .results()
              .forEach(span -> spans.append(span.group(1)).append('\n'));
        }
        isBlock ^= isFence;
      }
      add(page, code.toString(), true, shown);
      add(page, spans.toString(), false, shown);
    }
    return shown;
  }

  private static void add(Path page, String text, boolean isWhole, List<Shown> shown) {
    for (MatchResult found : COMMAND.matcher(text).results().toList()) {
      String line = found.group(2).strip();
      if (!line.startsWith("--") && !line.matches("[A-Z]+\\b.*")) {
        shown.add(new Shown(page, found.group(1), line, isWhole));
      }
    }
  }

  @Test
  void commandsAreUnderstood() throws IOException {
    List<Shown> shown = shown();
    assertTrue(shown.size() > 80, shown.size() + " commands were found");
    List<String> wrong = new ArrayList<>();
    for (Shown one : shown) {
      problem(one).ifPresent(why -> wrong.add(one + "\n  " + why));
    }
    assertEquals(List.of(), wrong);
  }

  private static Optional<String> problem(Shown shown) throws IOException {
    List<String> words = new ArrayList<>();
    WORD.matcher(shown.line()).results().forEach(word -> words.add(word.group()));
    words.replaceAll(word -> word.equals("PATH") ? "/path" : word.replace("'", ""));
    if (shown.program().equals("docker/testbed")) {
      words.add(0, "testbed");
    }
    List<Command> commands =
        shown.program().equals("hdfs rackweave") ? Rackweave.COMMANDS : Checkout.COMMANDS;
    Optional<Command> command =
        commands.stream().filter(one -> one.name().equals(words.get(0))).findFirst();
    if (command.isEmpty()) {
      return Optional.of("no verb '" + words.get(0) + "'");
    }
    GenericOptionsParser generic =
        new GenericOptionsParser(
            new Configuration(false), words.subList(1, words.size()).toArray(String[]::new));
    try {
      ToolCommand.parser(command.get().tool().get()).parseArgs(generic.getRemainingArgs());
      return Optional.empty();
    } catch (MissingParameterException e) {
      return shown.isWhole() ? Optional.of(e.getMessage()) : Optional.empty();
    } catch (ParameterException e) {
      return Optional.of(e.getMessage());
    }
  }

  @Test
  void handlersOfTheNameNodeAreThere() throws IOException {
    Set<String> handlers =
        Set.of(
            RuntimeSwitch.IDENTIFIER,
            RulesAdmin.IDENTIFIER,
            HealthAdmin.IDENTIFIER,
            WhyAdmin.IDENTIFIER,
            ShadowAdmin.IDENTIFIER,
            EncodingAdmin.IDENTIFIER,
            EafrAdmin.IDENTIFIER,
            RecoverySwitch.IDENTIFIER,
            SettingsReload.IDENTIFIER);
    int found = 0;
    for (Path page : texts()) {
      for (MatchResult one : REFRESH.matcher(Files.readString(page)).results().toList()) {
        assertTrue(handlers.contains(one.group(1)), page + ": " + one.group());
        found++;
      }
    }
    assertTrue(found > 5, found + " were found");
  }

  @Test
  void referenceListsEveryVerb() throws IOException {
    Set<String> verbs =
        Checkout.COMMANDS.stream()
            .map(Command::name)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> listed = new TreeSet<>();
    for (String line : Files.readAllLines(Path.of("docs/reference.md"))) {
      if (line.startsWith("## Settings")) {
        break;
      }
      if (line.matches("\\| `\\w+` \\|.*")) {
        listed.add(line.split("`")[1]);
      }
    }
    assertEquals(verbs, listed);
  }
}
