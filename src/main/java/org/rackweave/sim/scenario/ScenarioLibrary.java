package org.rackweave.sim.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.rackweave.sim.workload.InputException;

/**
 * The scenarios of a directory, by name.
 *
 * @param directory usually {@code scenarios} of the source checkout
 */
public record ScenarioLibrary(Path directory) {

  /** All names, sorted. */
  public List<String> names() throws InputException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(ScenarioText.ENDING))
          .map(name -> name.substring(0, name.length() - ScenarioText.ENDING.length()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new InputException(directory, 0, "is no directory of scenarios");
    }
  }

  /**
   * The file of a scenario: one of this directory by its name, or any other by its path, which has
   * a slash or the ending {@code .yaml}.
   *
   * @throws InputException when there is none, with the names there are
   */
  public Path find(String nameOrPath) throws InputException {
    if (nameOrPath.contains("/") || nameOrPath.endsWith(ScenarioText.ENDING)) {
      return Path.of(nameOrPath);
    }
    List<String> names = names();
    if (!names.contains(nameOrPath)) {
      throw new InputException(
          directory,
          0,
          "there is no scenario "
              + InputException.quote(nameOrPath)
              + NearestName.suggestion(nameOrPath, names)
              + "; there are "
              + String.join(", ", names)
              + ", or give a path that ends in "
              + ScenarioText.ENDING);
    }
    return directory.resolve(nameOrPath + ScenarioText.ENDING);
  }

  /** Reads a scenario by its name or its path. */
  public Scenario read(String nameOrPath) throws InputException {
    return read(nameOrPath, Overrides.NONE);
  }

  /** Reads a scenario, with something in place of what it says. */
  public Scenario read(String nameOrPath, Overrides overrides) throws InputException {
    return ScenarioText.read(find(nameOrPath), overrides);
  }
}
