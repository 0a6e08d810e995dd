package org.rackweave.hdfs;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.ipc.RefreshResponse;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;

/**
 * What a command asks a refresh handler of ours for: a word that says what to do, and options of
 * the form {@code key=value} behind it.
 *
 * @param what the word
 * @param options those that were given, by key
 */
public record AdminRequest(String what, Map<String, String> options) {
  private static final int NOT_NOW = 1;
  private static final int USAGE = 2;

  /**
   * Reads a request.
   *
   * @param known the options of each word there is
   * @throws IllegalArgumentException naming what is not known, and what is allowed
   */
  public static AdminRequest parse(String[] args, Map<String, Set<String>> known) {
    String what = args.length == 0 ? "" : args[0];
    Set<String> keys = known.get(what);
    if (keys == null) {
      throw new IllegalArgumentException(
          "'" + what + "': allowed is one of " + known.keySet().stream().sorted().toList());
    }
    Map<String, String> options = new HashMap<>();
    for (String arg : List.of(args).subList(1, args.length)) {
      int equals = arg.indexOf('=');
      String key = equals < 0 ? arg : arg.substring(0, equals);
      if (equals < 0 || !keys.contains(key)) {
        throw new IllegalArgumentException(
            "'" + arg + "': allowed is key=value with one of " + keys.stream().sorted().toList());
      }
      options.put(key, arg.substring(equals + 1));
    }
    return new AdminRequest(what, options);
  }

  /**
   * The directory or file that the request is for, the root unless one was given.
   *
   * @throws IllegalArgumentException when it is no absolute path
   */
  public static String path(Map<String, String> options) {
    String path = options.getOrDefault("path", "/");
    if (!path.startsWith("/") || (path.length() > 1 && path.endsWith("/"))) {
      throw new IllegalArgumentException(
          "path '" + path + "': allowed is an absolute path without a slash at its end");
    }
    return path;
  }

  /**
   * Answers, or says why not: with code 2 what was asked wrongly ({@link
   * IllegalArgumentException}), with 1 what cannot be now ({@link IllegalStateException}), or has
   * failed, of which the log says more.
   */
  public static RefreshResponse respond(Supplier<String> answer) {
    try {
      return new RefreshResponse(0, answer.get());
    } catch (IllegalArgumentException e) {
      return new RefreshResponse(USAGE, e.getMessage());
    } catch (IllegalStateException e) {
      return new RefreshResponse(NOT_NOW, e.getMessage());
    } catch (RuntimeException | Error e) {
      HookGuard.failed(Hook.COMMAND, e);
      return new RefreshResponse(NOT_NOW, "failed, and the NameNode's log says more: " + e);
    }
  }
}
