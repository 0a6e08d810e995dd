package org.rackweave.hadoop;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.rackweave.hadoop.SuiteOutcome.Result;

/**
 * Runs one class of tests and writes what becomes of each test as it happens, for the JVM may have
 * to be killed. Arguments: the class, the file, and methods when not all are to be run.
 */
final class SuiteJvm {
  private SuiteJvm() {}

  public static void main(String[] args) {
    int exitCode = 0;
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(Path.of(args[1])), true, StandardCharsets.UTF_8)) {
      LauncherDiscoveryRequest request =
          LauncherDiscoveryRequestBuilder.request()
              .selectors(selectClass(args[0]))
              .filters(only(Set.copyOf(List.of(args).subList(2, args.length))))
              .build();
      LauncherFactory.create().execute(request, new Writer(out));
    } catch (Throwable e) { // also of a JVM that has run out of memory or threads
      e.printStackTrace();
      exitCode = 1;
    }
    // Threads and hooks of clusters that tests left running do not end by themselves.
    Runtime.getRuntime().halt(exitCode);
  }

  private static PostDiscoveryFilter only(Set<String> methods) {
    return test ->
        FilterResult.includedIf(
            methods.isEmpty()
                || !(test.getSource().orElse(null) instanceof MethodSource method)
                || methods.contains(method.getMethodName()));
  }

  private static final class Writer implements TestExecutionListener {
    private final PrintStream out;

    Writer(PrintStream out) {
      this.out = out;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
      if (test.isTest()) {
        write(test, Result.HUNG, "");
      }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
      write(test, Result.SKIPPED, reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      switch (result.getStatus()) {
        case SUCCESSFUL -> {
          if (test.isTest()) {
            write(test, Result.PASSED, "");
          }
        }
        case ABORTED -> write(test, Result.SKIPPED, firstLine(result));
        case FAILED -> write(test, Result.FAILED, firstLine(result));
      }
    }

    private void write(TestIdentifier test, Result result, String message) {
      out.println(SuiteOutcome.line(test.getLegacyReportingName(), result, message));
    }

    private static String firstLine(TestExecutionResult result) {
      return result
          .getThrowable()
          .map(thrown -> thrown.toString().lines().findFirst().orElse("").replace('\t', ' '))
          .orElse("");
    }
  }
}
