package org.rackweave.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * A command whose options are fields, and whose subcommands are methods, with picocli's
 * annotations. Without subcommands it is a {@link java.util.concurrent.Callable} of its exit code.
 */
public abstract class ToolCommand extends Configured implements Tool {
  /** Exit code of a command that was understood and could not be carried out. */
  protected static final int EXIT_FAILURE = 1;

  /** What commands are annotated with: the program of a checkout. */
  static final String CHECKOUT = "bin/rackweave";

  private static final int USAGE_COLUMNS = 100;
  private static final String WATCH = "--watch";
  private static final int WATCH_SEC = 2;
  private static final int WATCH_SEC_MAX = 86_400;

  /** Of a terminal: the cursor to its first place, and all behind that empty. */
  private static final String CLEAR = "\033[H\033[2J";

  protected final PrintStream out;
  protected final PrintStream err;

  private String program = CHECKOUT;
  private String name = CHECKOUT;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Print this text.")
  private boolean help;

  /** Prints results to {@code out} and everything else to {@code err}. */
  protected ToolCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public final int run(String[] args) {
    CommandLine parser = parser(this);
    name = parser.getCommandName().replaceFirst("^" + CHECKOUT + "\\b", program);
    return parser
        .setCommandName(name)
        .setOut(new PrintWriter(out, true))
        .setParameterExceptionHandler((e, given) -> refuse(e))
        .setExecutionExceptionHandler(this::fail)
        .setExecutionStrategy(this::execute)
        .execute(args);
  }

  private int execute(ParseResult parsed) {
    List<CommandLine> commands = parsed.asCommandLineList();
    CommandLine command = commands.get(commands.size() - 1);
    ParseResult last = command.getParseResult();
    if (!last.hasMatchedOption(WATCH) || last.isUsageHelpRequested()) {
      return new RunLast().execute(parsed);
    }
    if (last.hasMatchedOption("--json") || changes()) {
      throw new ParameterException(
          command, WATCH + " goes without --json, and with what changes nothing");
    }
    return watch(parsed, last.matchedOptionValue(WATCH, WATCH_SEC));
  }

  /** Whether what was asked for changes something, and is not to be done again and again. */
  protected boolean changes() {
    return false;
  }

  /** Until the process is ended; a NameNode that does not answer now may do so later. */
  private int watch(ParseResult parsed, int seconds) {
    boolean isTerminal = Boolean.getBoolean("rackweave.terminal.out");
    while (true) {
      out.print(isTerminal ? CLEAR : "");
      out.println(Instant.now().truncatedTo(ChronoUnit.SECONDS));
      try {
        new RunLast().execute(parsed);
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof IOException)) {
          throw e;
        }
        String failed = e.getCommandLine().getCommandSpec().qualifiedName();
        err.println(failed + ": " + e.getCause().getMessage());
      }
      out.flush();
      if (!pause(seconds)) {
        return EXIT_FAILURE;
      }
    }
  }

  /** Waits; returns whether to go on. */
  boolean pause(int seconds) {
    try {
      TimeUnit.SECONDS.sleep(seconds);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Has the command call itself by the program that runs it. */
  final void calledBy(String program) {
    this.program = program;
  }

  /** What users type to get here, such as {@code hdfs rackweave mode}. */
  protected final String name() {
    return name;
  }

  /**
   * What reads a command line into the annotated fields of {@code command}.
   *
   * @param command a command, or an object with options alone
   */
  public static CommandLine parser(Object command) {
    CommandLine parser = new CommandLine(command);
    prepare(parser);
    return parser
        .setAllowOptionsAsOptionParameters(false)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpWidth(USAGE_COLUMNS);
  }

  private static void prepare(CommandLine parser) {
    CommandSpec spec = parser.getCommandSpec();
    spec.usageMessage().abbreviateSynopsis(true);
    for (OptionSpec option : List.copyOf(spec.options())) {
      WholeNumber range = ((AnnotatedElement) option.userObject()).getAnnotation(WholeNumber.class);
      if (range != null) {
        spec.remove(option);
        spec.addOption(
            OptionSpec.builder(option)
                .paramLabel(range.min() + ".." + range.max())
                .converters(text -> number(range.min(), range.max(), text))
                .build());
      }
    }
    if (isWatchable(spec.userObject())) {
      spec.addOption(
          OptionSpec.builder(WATCH)
              .arity("0..1")
              .fallbackValue(String.valueOf(WATCH_SEC))
              .paramLabel("SECONDS")
              .type(Integer.class)
              .converters(text -> number(1, WATCH_SEC_MAX, text))
              .description(
                  "Repeat every this many seconds, " + WATCH_SEC + " unless given, until Ctrl-C.")
              .build());
    }
    parser.getSubcommands().values().forEach(ToolCommand::prepare);
  }

  private static boolean isWatchable(Object command) {
    AnnotatedElement annotated =
        command instanceof Method method ? method : command == null ? null : command.getClass();
    return annotated != null && annotated.isAnnotationPresent(Watchable.class);
  }

  private static int number(int min, int max, String text) {
    try {
      int number = Integer.parseInt(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, like a number out of range.
    }
    throw new TypeConversionException(
        String.format("'%s', allowed are whole numbers from %d to %d", text, min, max));
  }

  private int refuse(ParameterException e) {
    CommandLine command = e.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    err.println(name + ": " + e.getMessage());
    if (!UnmatchedArgumentException.printSuggestions(e, new PrintWriter(err, true))
        && !command.getSubcommands().isEmpty()) {
      err.println("Commands: " + String.join(", ", command.getSubcommands().keySet()));
    }
    err.println(name + " --help tells more");
    return CommandLine.ExitCode.USAGE;
  }

  private int fail(Exception e, CommandLine command, ParseResult parsed) throws Exception {
    if (e instanceof UsageException) {
      return refuse(new ParameterException(command, e.getMessage(), e));
    }
    if (e instanceof IOException) {
      err.println(command.getCommandSpec().qualifiedName() + ": " + e.getMessage());
      return EXIT_FAILURE;
    }
    throw e;
  }
}
