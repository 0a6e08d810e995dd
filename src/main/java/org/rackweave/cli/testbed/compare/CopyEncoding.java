package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.rackweave.cli.testbed.compare.worker.Report.Done;
import org.rackweave.cli.testbed.compare.worker.Task;
import org.rackweave.hdfs.ear.FileShrinking.Outcome;

/**
 * Stock: one client copies all files into a directory with erasure coding, as {@code hdfs dfs -cp}
 * does.
 */
final class CopyEncoding implements Encoding {

  private final int client;
  private final String from;
  private final String to;

  /**
   * @param client number of the DataNode on whose machine the client is
   * @param from holds the files
   * @param to gets the encoded ones
   */
  CopyEncoding(Session session, int client, String from, String to) throws IOException {
    this.client = client;
    this.from = from;
    this.to = to;
    session.files().makeDirectory(to);
    session.files().fileSystem().enableErasureCodingPolicy(EncodeSettings.STOCK_CODE);
    session.files().fileSystem().setErasureCodingPolicy(new Path(to), EncodeSettings.STOCK_CODE);
  }

  @Override
  public void addTo(HostTasks tasks, long atMs) {
    tasks.add(client, new Task.Copy("encode", atMs, from, to));
  }

  @Override
  public boolean isOver(List<Done> done) {
    return !done.isEmpty();
  }

  /** With no figure for relocations: HDFS promises no rack limit for stripes of its own. */
  @Override
  public Outcome outcome(List<Done> done) {
    return new Outcome(done.stream().mapToLong(Done::sizeBytes).sum(), Double.NaN);
  }

  @Override
  public String readable(String name) {
    return to + "/" + name;
  }
}
