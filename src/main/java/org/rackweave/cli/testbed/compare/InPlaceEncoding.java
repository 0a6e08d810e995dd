package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.util.List;
import org.rackweave.cli.admin.NameNodeAdmin;
import org.rackweave.cli.ear.JobView;
import org.rackweave.cli.testbed.compare.worker.Report.Done;
import org.rackweave.hdfs.ear.FileShrinking.Outcome;

/**
 * EAR, as {@code bin/rackweave encode} does it: the NameNode plans, DataNodes of the core racks
 * encode. Its time includes what it takes the NameNode to hand work out on heartbeats.
 */
final class InPlaceEncoding implements Encoding {

  private static final String PHASE = "encoding";
  private static final long LOOK_MS = 200;

  /** With more, two methods would not have done the same. */
  private static final double LEFT_SHARE_MAX = 0.1;

  private final NameNodeAdmin nameNode;
  private final String directory;

  /** Whether the NameNode has begun to encode, which it does after it has looked at the files. */
  private boolean hasBegun;

  private long encoding;

  /**
   * @param nameNode to be closed by the caller
   * @param directory holds the files
   */
  InPlaceEncoding(NameNodeAdmin nameNode, String directory) {
    this.nameNode = nameNode;
    this.directory = directory;
  }

  @Override
  public void begin() throws IOException {
    encoding = JobView.of(nameNode.ask("encode", "path=" + directory)).id();
  }

  @Override
  public boolean isOver(List<Done> done) throws IOException {
    JobView job = look(encoding);
    if (job.isOver() && !job.isDone()) {
      throw new IOException("encoding " + job.state() + ": " + job.reason());
    }
    hasBegun |= job.phase().equals(PHASE);
    return job.isOver() || (hasBegun && (!job.phase().equals(PHASE) || job.done() == job.total()));
  }

  /**
   * Waits for the end of the job, and asks for the moves that an audit would make. Of a rack's last
   * blocks one or two may be too few for parity, and are not encoded.
   */
  @Override
  public Outcome outcome(List<Done> done) throws IOException, InterruptedException {
    JobView job = awaitEnd(encoding);
    long left = job.figures().getOrDefault("left_blocks", 0L);
    if (left > LEFT_SHARE_MAX * job.figures().get("blocks")) {
      throw new IOException(left + " blocks were not encoded: " + job.lines());
    }
    JobView audit = awaitEnd(JobView.of(nameNode.ask("audit", "fix=true", "dry-run=true")).id());
    return new Outcome(
        job.figures().get("encoded_bytes_after"),
        audit.figures().getOrDefault("moves_planned", 0L)
            / (double) audit.figures().get("stripes"));
  }

  private JobView look(long id) throws IOException {
    return JobView.of(nameNode.ask("job", "id=" + id));
  }

  private JobView awaitEnd(long id) throws IOException, InterruptedException {
    JobView job = look(id);
    while (!job.isOver()) {
      Thread.sleep(LOOK_MS);
      job = look(id);
    }
    return job;
  }

  @Override
  public String readable(String name) {
    return directory + "/" + name;
  }
}
