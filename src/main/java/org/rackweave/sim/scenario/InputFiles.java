package org.rackweave.sim.scenario;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.rackweave.sim.workload.InputException;

/**
 * Where the files a scenario names are looked for, in this order.
 *
 * @param directories usually that of the scenario, then one of traces
 */
public record InputFiles(List<Path> directories) {

  public InputFiles {
    directories = List.copyOf(directories);
  }

  /** The file of a name, if there is one; an absolute path stands for itself. */
  Optional<Path> find(String name) {
    return directories.stream()
        .map(directory -> directory.resolve(name))
        .filter(Files::isRegularFile)
        .findFirst();
  }

  /** The file of a name. */
  Path need(String name) throws InputException {
    Optional<Path> found = find(name);
    if (found.isEmpty()) {
      throw new InputException(
          Path.of(name),
          0,
          "there is no such file in "
              + directories.stream().map(Path::toString).collect(Collectors.joining(", ")));
    }
    return found.get();
  }
}
