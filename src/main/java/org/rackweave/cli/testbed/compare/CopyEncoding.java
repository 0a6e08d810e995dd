package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.rackweave.cli.testbed.Host;
import org.rackweave.cli.testbed.compare.worker.Report.Done;
import org.rackweave.cli.testbed.compare.worker.Task;

/**
 * Stock: on every DataNode a client copies the files that were written there into a directory with
 * erasure coding, as {@code distcp} does.
 */
final class CopyEncoding implements Encoding {

  private final List<Host> nodes;
  private final String from;
  private final String to;

  /**
   * @param from holds a directory with files for every node
   * @param to gets the same with the encoded ones
   */
  CopyEncoding(Session session, String from, String to) throws IOException {
    this.nodes = session.layout().dataNodes();
    this.from = from;
    this.to = to;
    session.files().fileSystem().enableErasureCodingPolicy(EncodeSettings.STOCK_CODE);
    for (int node = 0; node < nodes.size(); node++) {
      session.files().makeDirectory(to + "/" + node);
    }
    session.files().fileSystem().setErasureCodingPolicy(new Path(to), EncodeSettings.STOCK_CODE);
  }

  @Override
  public Map<String, List<Task>> tasks(long atMs) {
    Map<String, List<Task>> tasks = new HashMap<>();
    for (int node = 0; node < nodes.size(); node++) {
      Task copy = new Task.Copy("encode-" + node, atMs, from + "/" + node, to + "/" + node);
      tasks.put(nodes.get(node).name(), List.of(copy));
    }
    return tasks;
  }

  @Override
  public State state(List<Done> done) {
    return new State(done.size() == nodes.size(), done.stream().mapToLong(Done::sizeBytes).sum());
  }

  /** HDFS does not promise a rack limit for stripes of its own, so there is nothing to mend. */
  @Override
  public double relocations() {
    return Double.NaN;
  }

  @Override
  public String readable(String name) {
    return to + "/" + name;
  }
}
