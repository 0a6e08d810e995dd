package org.rackweave.cli.testbed;

import java.nio.file.Path;
import java.util.List;

/**
 * Something on this machine that outlives the process that made it. Whatever else a testbed makes
 * in the kernel goes with the namespace it is in.
 */
sealed interface Resource {

  /** The command that removes it. */
  List<String> removal();

  /** A network namespace. */
  record Namespace(String name) implements Resource {

    @Override
    public List<String> removal() {
      return List.of("ip", "netns", "del", name);
    }
  }

  /** A network interface outside the testbed's namespaces. */
  record Link(String name) implements Resource {

    @Override
    public List<String> removal() {
      return List.of("ip", "link", "del", "dev", name);
    }
  }

  /** A mounted file system. */
  record Mount(Path path) implements Resource {

    @Override
    public List<String> removal() {
      return List.of("umount", path.toString());
    }
  }
}
