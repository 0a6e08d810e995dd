package org.rackweave.cli.testbed;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How Java virtual machines are started.
 *
 * @param java the program
 * @param classPath directories and jars with Hadoop and Rackweave in them
 */
record JavaLaunch(Path java, List<Path> classPath) {

  JavaLaunch {
    classPath = List.copyOf(classPath);
  }

  /** The Java and the class path of this process. */
  static JavaLaunch ofThisProcess() {
    List<Path> entries =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.isEmpty())
            .map(entry -> Path.of(entry).toAbsolutePath())
            .toList();
    return new JavaLaunch(Path.of(System.getProperty("java.home"), "bin", "java"), entries);
  }

  /** The same with one entry of the class path in place of another. */
  JavaLaunch replacing(Path entry, Path by) {
    return new JavaLaunch(
        java, classPath.stream().map(path -> path.equals(entry) ? by : path).toList());
  }

  /**
   * The flags every Java virtual machine of the testbed is given, in the form of a file of
   * arguments: the class path alone is longer than anyone wants to see in a list of processes.
   *
   * @param conf the directory with its site files
   */
  String argumentFile(RunDirectory directory, Path conf) {
    List<Path> entries = new ArrayList<>(List.of(conf, directory.web()));
    entries.addAll(classPath);
    return String.join(
        "\n",
        // Names without DNS: a NameNode looks them up while it holds its lock.
        quoted("-Djdk.net.hosts.file=" + directory.hosts()),
        "-Djava.net.preferIPv4Stack=true",
        quoted("-Dlog4j.configuration=file:" + directory.log4j()),
        // Hadoop 3.4 reads java.lang internals by reflection.
        "--add-opens java.base/java.lang=ALL-UNNAMED",
        // A dozen parallel collectors would fight for a few processors.
        "-XX:+UseSerialGC",
        "-cp",
        quoted(
            entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator))),
        "");
  }

  /** The command line of a main class, with the flags of an argument file. */
  List<String> command(
      Path argumentFile, List<String> flags, String mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(java.toString(), "@" + argumentFile));
    command.addAll(flags);
    command.add(mainClass);
    command.addAll(arguments);
    return List.copyOf(command);
  }

  private static String quoted(String argument) {
    return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
