package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import org.rackweave.cli.testbed.Host;
import org.rackweave.cli.testbed.Layout;

/**
 * Tells the processes of a comparison: this one, and all that live in a network namespace of the
 * testbed, started by any process.
 */
final class OwnProcesses implements LongPredicate {

  private final Set<Object> namespaces = new HashSet<>();
  private final Map<Long, Boolean> known = new HashMap<>();
  private final long self = ProcessHandle.current().pid();

  OwnProcesses(Layout layout) throws IOException {
    for (Host host : layout.hosts()) {
      namespaces.add(fileKey(Path.of("/run/netns", host.namespace())));
    }
  }

  @Override
  public boolean test(long pid) {
    return pid == self || known.computeIfAbsent(pid, this::isInTestbed);
  }

  private boolean isInTestbed(long pid) {
    try {
      return namespaces.contains(fileKey(Path.of("/proc/" + pid + "/ns/net")));
    } catch (IOException endedOrNotReadable) {
      return false;
    }
  }

  /** Device and inode: the same for all names of one namespace. */
  private static Object fileKey(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }
}
