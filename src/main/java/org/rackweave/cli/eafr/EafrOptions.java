package org.rackweave.cli.eafr;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.rackweave.cli.UsageException;

/**
 * What the command line asks for.
 *
 * @param what status, plan, restore, pause, resume, roles, sleep, wake or hot
 * @param top files wanted
 * @param apply whether a plan is to be carried out
 * @param plan which one, empty for one made now
 * @param host a DataNode's, of which sleep and wake are about
 * @param path directory or file to restore
 * @param json file for the figures
 * @param help whether only the usage text is wanted
 */
record EafrOptions(
    String what,
    int top,
    boolean apply,
    OptionalLong plan,
    String host,
    String path,
    Optional<Path> json,
    boolean help) {
  private static final List<String> KINDS =
      List.of("status", "plan", "restore", "pause", "resume", "roles", "sleep", "wake");
  private static final int TOP = 20;

  /**
   * Reads a command line of {@code bin/rackweave hot}.
   *
   * @throws UsageException naming the option and what it allows
   */
  static EafrOptions hot(String[] args) {
    return parse("hot", new ArrayDeque<>(List.of(args)));
  }

  /**
   * Reads a command line of {@code bin/rackweave eafr}.
   *
   * @throws UsageException naming the option and what it allows
   */
  static EafrOptions eafr(String[] args) {
    Deque<String> left = new ArrayDeque<>(List.of(args));
    String what = left.isEmpty() ? "" : left.pop();
    if (isHelp(what)) {
      return new EafrOptions("", TOP, false, OptionalLong.empty(), "", "/", Optional.empty(), true);
    }
    if (!KINDS.contains(what)) {
      throw new UsageException("'" + what + "': allowed is one of " + String.join(", ", KINDS));
    }
    return parse(what, left);
  }

  private static EafrOptions parse(String what, Deque<String> left) {
    int top = TOP;
    boolean apply = false;
    OptionalLong plan = OptionalLong.empty();
    String path = "/";
    Optional<Path> json = Optional.empty();
    boolean help = false;
    String host = "";
    if ((what.equals("sleep") || what.equals("wake")) && !isHelp(left.peek())) {
      host = value(what, left);
      if (!host.matches("[^-\\s=][^\\s=]*")) {
        throw new UsageException(what + " '" + host + "': allowed is a host, or host:port");
      }
    }
    while (!left.isEmpty()) {
      String option = left.pop();
      switch (option) {
        case "--json" -> json = Optional.of(Path.of(value(option, left)));
        case "--help", "-h" -> help = true;
        case "--top" -> {
          only(what, "hot", option);
          top = (int) number(option, value(option, left), 10_000);
        }
        case "--path" -> {
          only(what, "restore", option);
          path = path(value(option, left));
        }
        case "--apply" -> {
          only(what, "plan", option);
          apply = true;
          if (!left.isEmpty() && left.peek().matches("[0-9]+")) {
            plan = OptionalLong.of(number(option, left.pop(), Integer.MAX_VALUE));
          }
        }
        default -> throw new UsageException("unknown option '" + option + "'");
      }
    }
    return new EafrOptions(what, top, apply, plan, host, path, json, help);
  }

  private static boolean isHelp(String option) {
    return "--help".equals(option) || "-h".equals(option);
  }

  private static void only(String what, String allowed, String option) {
    if (!what.equals(allowed)) {
      throw new UsageException(option + " goes with " + allowed);
    }
  }

  private static String value(String option, Deque<String> left) {
    if (left.isEmpty()) {
      throw new UsageException(option + " needs a value");
    }
    return left.pop();
  }

  private static long number(String option, String text, int max) {
    if (!text.matches("[1-9][0-9]{0,8}") || Long.parseLong(text) > max) {
      throw new UsageException(
          option + " '" + text + "': allowed is a whole number from 1 to " + max);
    }
    return Long.parseLong(text);
  }

  private static String path(String text) {
    if (!text.startsWith("/")) {
      throw new UsageException("--path '" + text + "': allowed is an absolute path");
    }
    return text.length() > 1 ? text.replaceAll("/+$", "") : text;
  }
}
