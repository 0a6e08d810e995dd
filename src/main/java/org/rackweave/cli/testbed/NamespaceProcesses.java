package org.rackweave.cli.testbed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The processes in network namespaces, started by any process. The kernel is asked every time: a
 * number written down may belong to somebody else by the time it is used.
 */
final class NamespaceProcesses {

  private static final Path PROC = Path.of("/proc");
  private static final Path NAMESPACES = Path.of("/run/netns");
  private static final Duration DEATH_DEADLINE = Duration.ofSeconds(20);
  private static final int POLL_MS = 20;

  private NamespaceProcesses() {}

  /**
   * A process.
   *
   * @param namespace the network namespace it is in
   * @param command the program and its arguments
   */
  record Found(long pid, String namespace, List<String> command) {

    /** Whether it is a Java virtual machine that runs {@code mainClass}. */
    boolean runs(String mainClass) {
      return command.contains(mainClass);
    }

    /** The memory it takes, in bytes, shared pages counted in parts; 0 if it has just ended. */
    long memoryBytes() {
      try {
        return proportionalBytes(Files.readAllLines(PROC.resolve(pid + "/smaps_rollup")));
      } catch (IOException ended) {
        return 0;
      }
    }
  }

  /** Whether there is a network namespace of that name. */
  static boolean exists(String namespace) {
    return Files.exists(NAMESPACES.resolve(namespace));
  }

  /** Network namespaces of this machine whose names begin with {@code start}. */
  static List<String> startingWith(String start) throws IOException {
    if (!Files.isDirectory(NAMESPACES)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(NAMESPACES)) {
      return entries
          .map(entry -> String.valueOf(entry.getFileName()))
          .filter(name -> name.startsWith(start))
          .sorted()
          .toList();
    }
  }

  /** Every process in one of {@code namespaces}. */
  static List<Found> in(Collection<String> namespaces) throws IOException {
    Map<String, String> byLink = new HashMap<>();
    for (String namespace : namespaces) {
      Path path = NAMESPACES.resolve(namespace);
      if (Files.exists(path)) {
        byLink.put("net:[" + Files.getAttribute(path, "unix:ino") + "]", namespace);
      }
    }
    if (byLink.isEmpty()) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(PROC)) {
      return entries.map(entry -> find(entry, byLink)).flatMap(Optional::stream).toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static Optional<Found> find(Path process, Map<String, String> namespaceByLink) {
    String name = String.valueOf(process.getFileName());
    if (!name.chars().allMatch(Character::isDigit)) {
      return Optional.empty();
    }
    try {
      String link = Files.readSymbolicLink(process.resolve("ns/net")).toString();
      String namespace = namespaceByLink.get(link);
      if (namespace == null) {
        return Optional.empty();
      }
      String command = Files.readString(process.resolve("cmdline"), UTF_8);
      return Optional.of(
          new Found(Long.parseLong(name), namespace, Arrays.asList(command.split("\0"))));
    } catch (IOException ended) {
      return Optional.empty();
    }
  }

  /** The memory of a process in bytes, from the lines of its {@code smaps_rollup}. */
  static long proportionalBytes(List<String> rollup) {
    return rollup.stream()
        .filter(line -> line.startsWith("Pss:"))
        .mapToLong(line -> Long.parseLong(line.split("\\s+", 3)[1]) << 10)
        .sum();
  }

  /**
   * Kills processes as {@code kill -9} does and waits until they are gone.
   *
   * @throws IOException if one does not go
   */
  static void kill(List<Found> processes) throws IOException {
    List<ProcessHandle> handles = new ArrayList<>();
    for (Found process : processes) {
      ProcessHandle.of(process.pid()).ifPresent(handles::add);
    }
    handles.forEach(ProcessHandle::destroyForcibly);
    long deadline = System.nanoTime() + DEATH_DEADLINE.toNanos();
    while (handles.stream().anyMatch(ProcessHandle::isAlive)) {
      if (System.nanoTime() > deadline) {
        throw new IOException("processes do not end: " + processes);
      }
      pause();
    }
  }

  /** Kills every process in one of {@code namespaces}, and those they have started meanwhile. */
  static void killAll(Collection<String> namespaces) throws IOException {
    List<Found> processes = in(namespaces);
    while (!processes.isEmpty()) {
      kill(processes);
      processes = in(namespaces);
    }
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while processes end", e);
    }
  }
}
