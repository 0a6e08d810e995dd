package org.rackweave.hadoop;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What one class of tests did in a JVM of its own.
 *
 * @param results what became of each test, by its name
 * @param messages the first line of what failed tests threw, by their names
 * @param seconds how long the JVM ran
 * @param complete whether the JVM came to its end by itself, within its time
 */
record SuiteOutcome(
    Map<String, Result> results, Map<String, String> messages, long seconds, boolean complete) {

  /** What became of one test. */
  enum Result {
    PASSED,
    FAILED,
    SKIPPED,
    /** Begun and never ended. */
    HUNG
  }

  private static final String SEPARATOR = "\t";

  /** A line that says what became of a test so far; a later line about it replaces it. */
  static String line(String test, Result result, String message) {
    return String.join(SEPARATOR, test, result.name(), message);
  }

  /**
   * @param lines what {@link #line} gave, in its order
   */
  static SuiteOutcome of(List<String> lines, long seconds, boolean complete) {
    Map<String, Result> results = new TreeMap<>();
    Map<String, String> messages = new TreeMap<>();
    for (String line : lines) {
      String[] fields = line.split(SEPARATOR, 3);
      results.put(fields[0], Result.valueOf(fields[1]));
      messages.put(fields[0], fields[2]);
    }
    return new SuiteOutcome(results, messages, seconds, complete);
  }

  long count(Result result) {
    return results.values().stream().filter(result::equals).count();
  }

  List<String> skipped() {
    return all(result -> result == Result.SKIPPED);
  }

  /** Tests that failed or came to no end. */
  List<String> notPassed() {
    return all(result -> result == Result.FAILED || result == Result.HUNG);
  }

  private List<String> all(Predicate<Result> which) {
    return results.entrySet().stream()
        .filter(result -> which.test(result.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  boolean hasPassed(String test) {
    return results.get(test) == Result.PASSED;
  }

  /** Whether its class's time was over before a test had come to its end. */
  boolean hasNotCome(String test) {
    return !complete && (!results.containsKey(test) || results.get(test) == Result.HUNG);
  }

  /** The method of a test, which may have run with several arguments. */
  static String method(String test) {
    return test.replaceAll("\\(.*", "");
  }

  /** Tests that passed here and did not with {@code other}, which is to pass them, too. */
  List<String> passedOnlyHere(SuiteOutcome other) {
    return results.entrySet().stream()
        .filter(result -> result.getValue() == Result.PASSED)
        .map(Map.Entry::getKey)
        .filter(test -> !other.hasPassed(test))
        .collect(Collectors.toList());
  }
}
