package org.rackweave.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code docker/docker-compose.yml} says of names and addresses. No YAML parser is among our
 * dependencies, so the file is read line by line as it is written; a form this does not know leaves
 * something out, which the tests notice.
 *
 * @param text the whole file
 * @param addresses name of the service to name of the network to address
 * @param extraHosts name to address, as every container finds them in {@code /etc/hosts}
 * @param subnets name of the network to its addresses
 */
record ComposeFile(
    String text,
    Map<String, Map<String, String>> addresses,
    Map<String, String> extraHosts,
    Map<String, String> subnets) {

  private static final Pattern NAME = Pattern.compile("  ([a-z0-9-]+):");
  private static final Pattern ADDRESS =
      Pattern.compile("([a-z0-9-]+): \\{ipv4_address: ([0-9.]+)}");
  private static final Pattern EXTRA_HOST = Pattern.compile("    - ([a-z0-9-]+):([0-9.]+)");
  private static final Pattern SUBNET = Pattern.compile("\\{subnet: ([0-9./]+)}");

  static ComposeFile read(Path path) throws IOException {
    String text = Files.readString(path);
    Map<String, Map<String, String>> addresses = new LinkedHashMap<>();
    Map<String, String> extraHosts = new TreeMap<>();
    Map<String, String> subnets = new TreeMap<>();
    String name = null;
    for (String line : text.lines().toList()) {
      Matcher named = NAME.matcher(line);
      if (named.matches()) {
        name = named.group(1);
      }
      Matcher extraHost = EXTRA_HOST.matcher(line);
      if (extraHost.matches()) {
        extraHosts.put(extraHost.group(1), extraHost.group(2));
      }
      Matcher address = ADDRESS.matcher(line);
      while (address.find()) {
        addresses
            .computeIfAbsent(name, service -> new HashMap<>())
            .put(address.group(1), address.group(2));
      }
      Matcher subnet = SUBNET.matcher(line);
      if (subnet.find()) {
        subnets.put(name, subnet.group(1));
      }
    }
    return new ComposeFile(text, addresses, extraHosts, subnets);
  }

  /** What a variable is where the user sets none, as in {@code ${NAME:-default}}. */
  Map<String, String> defaults() {
    Map<String, String> defaults = new TreeMap<>();
    Matcher variable = Pattern.compile("\\$\\{([A-Z_]+):-([^}]*)}").matcher(text);
    while (variable.find()) {
      defaults.put(variable.group(1), variable.group(2));
    }
    return defaults;
  }
}
