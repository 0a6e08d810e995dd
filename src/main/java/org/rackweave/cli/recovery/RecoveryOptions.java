package org.rackweave.cli.recovery;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.rackweave.cli.UsageException;

/**
 * What the command line asks for.
 *
 * @param node the DataNode asked about, empty for none
 * @param json whether JSON is printed
 * @param help whether only the usage text is wanted
 */
record RecoveryOptions(String node, boolean json, boolean help) {
  /**
   * Reads a command line.
   *
   * @param needsNode whether a DataNode is to be named
   * @throws UsageException naming the option and what it allows
   */
  static RecoveryOptions parse(String[] args, boolean needsNode) {
    String node = "";
    boolean json = false;
    boolean help = false;
    Deque<String> left = new ArrayDeque<>(List.of(args));
    while (!left.isEmpty()) {
      String option = left.pop();
      if (option.equals("--json")) {
        json = true;
      } else if (option.equals("--help") || option.equals("-h")) {
        help = true;
      } else if (option.equals("--node") && needsNode) {
        if (left.isEmpty()) {
          throw new UsageException("--node needs a value");
        }
        node = left.pop();
      } else {
        throw new UsageException("unknown option '" + option + "'");
      }
    }
    if (needsNode && node.isEmpty() && !help) {
      throw new UsageException("--node is missing");
    }
    return new RecoveryOptions(node, json, help);
  }
}
