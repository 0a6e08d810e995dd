package org.rackweave.cli.testbed;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.fs.FileUtil;

/**
 * What has been made for a testbed and has to go again. Everything is made through this object, so
 * that closing it, from whatever thread, waits for the command under way, stops all that follow and
 * removes exactly what is there.
 */
final class Teardown implements Closeable {

  private final Path base;
  private final String prefix;
  private final Deque<Resource> made = new ArrayDeque<>();

  /** What may not have entered its namespace yet, where it would be found otherwise. */
  private final List<Process> started = new ArrayList<>();

  private final Thread atExit = new Thread(this::closeAndTell, "testbed-down");

  private boolean closed;

  /** With nothing made but the claim on a place. */
  Teardown(Path base, String prefix) {
    this.base = base;
    this.prefix = prefix;
  }

  /** From now on, until it is closed or let go, it closes when this process is interrupted. */
  void closeAtExit() {
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** What has been made stays when this process ends. */
  void letGo() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException tooLate) {
      // The process is ending, and the testbed with it.
    }
  }

  private void closeAndTell() {
    try {
      close();
    } catch (IOException e) {
      System.err.println("rackweave: testbed " + prefix + " is not all gone: " + e.getMessage());
    }
  }

  /** For a testbed made by another process, of which much may be gone already. */
  static Teardown of(Path base, TestbedPlan plan) {
    Teardown teardown = new Teardown(base, plan.spec().prefix());
    plan.resources().forEach(teardown.made::push);
    return teardown;
  }

  /**
   * Carries out a step.
   *
   * @throws IOException if it fails, or if the testbed is being taken down
   */
  synchronized void carryOut(Step step) throws IOException {
    checkOpen();
    if (step.makes() != null) {
      if (isThere(step.makes())) {
        throw new IOException("somebody else has made " + step.makes());
      }
      // Before it is: a command that fails may have come that far.
      made.push(step.makes());
    }
    Shell.run(step.command());
  }

  /**
   * Starts a process that ends with the testbed.
   *
   * @throws IOException if it cannot be started, or if the testbed is being taken down
   */
  synchronized Process start(ProcessBuilder builder) throws IOException {
    checkOpen();
    started.removeIf(process -> !process.isAlive());
    Process process = builder.start();
    started.add(process);
    return process;
  }

  /** Whether the testbed is going or gone. */
  synchronized boolean isClosed() {
    return closed;
  }

  private void checkOpen() throws IOException {
    if (closed) {
      throw new IOException("testbed " + prefix + " has been taken down");
    }
  }

  /**
   * Removes everything. Goes on when something cannot be removed, and tells of all that cannot.
   *
   * @throws IOException naming the first thing that cannot be removed
   */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    started.forEach(Process::destroyForcibly);
    List<IOException> failures = new ArrayList<>();
    attempt(failures, () -> NamespaceProcesses.killAll(namespaces()));
    while (!made.isEmpty()) {
      Resource resource = made.pop();
      attempt(failures, () -> remove(resource));
    }
    if (failures.isEmpty()) {
      attempt(failures, () -> Claim.release(base, prefix));
    }
    // Not before: a process that ends meanwhile has to wait for this.
    letGo();
    if (!failures.isEmpty()) {
      IOException first = failures.remove(0);
      failures.forEach(first::addSuppressed);
      throw first;
    }
  }

  private List<String> namespaces() {
    List<String> names = new ArrayList<>();
    for (Resource resource : made) {
      if (resource instanceof Resource.Namespace namespace) {
        names.add(namespace.name());
      }
    }
    return names;
  }

  private static void remove(Resource resource) throws IOException {
    if (!isThere(resource)) {
      return;
    }
    if (resource instanceof Resource.Mount mount) {
      // Another namespace's copy of the mount would keep what is stored in memory.
      FileUtil.fullyDeleteContents(mount.path().toFile());
    }
    Shell.run(resource.removal());
  }

  private static boolean isThere(Resource resource) throws IOException {
    if (resource instanceof Resource.Namespace namespace) {
      return NamespaceProcesses.exists(namespace.name());
    }
    if (resource instanceof Resource.Link link) {
      return new File("/sys/class/net/" + link.name()).exists();
    }
    Resource.Mount mount = (Resource.Mount) resource;
    return Files.readAllLines(Path.of("/proc/self/mounts")).stream()
        .anyMatch(line -> line.split(" ", 3)[1].equals(mount.path().toString()));
  }

  private static void attempt(List<IOException> failures, Removal removal) {
    try {
      removal.run();
    } catch (IOException e) {
      failures.add(e);
    }
  }

  private interface Removal {
    void run() throws IOException;
  }
}
