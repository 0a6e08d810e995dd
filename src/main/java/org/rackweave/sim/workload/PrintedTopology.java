package org.rackweave.sim.workload;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

/**
 * An operator's cluster, from the text that {@code hdfs dfsadmin -printTopology} prints or that the
 * NameNode's page {@code /topology} shows (which leaves out the states).
 *
 * <pre>
 * Rack: /hall1/rack7
 *    10.1.7.4:9866 (dn704.example.org) In Service
 * </pre>
 *
 * @param nodes in the order printed
 */
public record PrintedTopology(List<Node> nodes) {

  /** About 500 bytes each; ten times the largest clusters known. */
  static final int NODES_MAX = 250_000;

  private static final String RACK = "Rack: ";
  private static final String IN_SERVICE = "In Service";

  /** States as the NameNode names them. */
  private static final Set<String> STATES =
      Set.of(
          IN_SERVICE,
          "Decommission In Progress",
          "Decommissioned",
          "Entering Maintenance",
          "In Maintenance");

  private static final Pattern NODE =
      Pattern.compile("\\s+(\\S+):(\\d{1,5})(?: \\(([^()\\s]*)\\))?(?: (\\S.*?))?\\s*");

  /**
   * A DataNode as printed.
   *
   * @param ipAddress as the NameNode knows it
   * @param port of data transfer
   * @param hostName empty where the NameNode's host could not resolve the address
   * @param rackPath network location
   * @param inService false when it is being decommissioned or in maintenance
   */
  public record Node(
      String ipAddress, int port, String hostName, String rackPath, boolean inService) {

    /** Unique in a cluster. */
    public String name() {
      return ipAddress + ":" + port;
    }
  }

  public PrintedTopology {
    nodes = List.copyOf(nodes);
  }

  /**
   * Reads a whole text.
   *
   * @throws InputException naming the first line that is wrong; nothing of the file is used then
   */
  public static PrintedTopology read(Path file) throws InputException {
    List<Node> nodes = new ArrayList<>();
    Set<String> names = new HashSet<>();
    String rackPath = null;
    boolean rackHasNode = true;
    try (InputLines lines = new InputLines(file)) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        if (line.startsWith(RACK)) {
          checkRackHasNode(lines, rackPath, rackHasNode);
          rackPath = rackPath(lines, line);
          rackHasNode = false;
        } else if (!line.isBlank()) {
          Node node = node(lines, line, rackPath);
          if (!names.add(node.name())) {
            throw lines.bad("node " + node.name() + " is there twice");
          }
          nodes.add(node);
          rackHasNode = true;
          if (nodes.size() > NODES_MAX) {
            throw lines.bad("more than " + NODES_MAX + " nodes");
          }
        }
      }
      checkRackHasNode(lines, rackPath, rackHasNode);
    }
    if (nodes.stream().noneMatch(Node::inService)) {
      throw new InputException(file, 0, "has no node in service");
    }
    return new PrintedTopology(nodes);
  }

  private static void checkRackHasNode(InputLines lines, String rackPath, boolean rackHasNode)
      throws InputException {
    if (!rackHasNode) {
      throw lines.bad("rack " + InputException.quote(rackPath) + " ends without a node");
    }
  }

  private static String rackPath(InputLines lines, String line) throws InputException {
    String path = line.substring(RACK.length()).strip();
    if (!path.startsWith("/") || path.length() < 2 || path.contains("//") || path.endsWith("/")) {
      throw lines.bad(
          "rack is " + InputException.quote(path) + "; expected a path like /hall/rack");
    }
    return path;
  }

  private static Node node(InputLines lines, String line, String rackPath) throws InputException {
    Matcher matcher = NODE.matcher(line);
    if (!matcher.matches()) {
      throw lines.bad(
          InputException.quote(line)
              + " is neither 'Rack: <path>' nor an indented '<address>:<port> (<host>) <state>'");
    }
    if (rackPath == null) {
      throw lines.bad("a node before the first 'Rack: <path>'");
    }
    int port = (int) lines.number("port", matcher.group(2), 1, 65_535);
    String state = matcher.group(4) == null ? IN_SERVICE : matcher.group(4);
    if (!STATES.contains(state)) {
      throw lines.bad(
          "state is " + InputException.quote(state) + "; allowed: " + String.join(", ", sorted()));
    }
    String host = matcher.group(3) == null ? "" : matcher.group(3);
    return new Node(matcher.group(1), port, host, rackPath, state.equals(IN_SERVICE));
  }

  private static List<String> sorted() {
    return STATES.stream().sorted().toList();
  }

  /** The nodes in service, grouped by rack, each under its {@link Node#name}. */
  public ClusterTopology topology() {
    return ClusterTopology.of(
        nodes.stream()
            .filter(Node::inService)
            .map(node -> new NodePlace(node.name(), node.rackPath(), null))
            .toList());
  }
}
