package org.rackweave.cli.experiment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.rackweave.cli.Progress;

/**
 * What both sides go through where all features are compared with none, on whatever cluster: files
 * are written and read while background load moves and a file gets hot; a directory becomes
 * stripes; a DataNode dies; what is read and rebuilt then; and whether every byte is still there.
 * The methods are called once each, in this order.
 */
public interface SideCourse {
  /** Writes what is there before the load begins; the rules come before the files. */
  void fill() throws IOException, InterruptedException;

  /** Begins the load, and returns when all writes are done. */
  SideOutcome.Writes write() throws IOException, InterruptedException;

  /** Has a directory become stripes while reads go on. */
  SideOutcome.Encoded encode() throws IOException, InterruptedException;

  /** Lets reads come to their end. */
  SideOutcome.Reads read() throws IOException, InterruptedException;

  /** Stops a DataNode, and returns when every block is whole again. */
  SideOutcome.Recovery loseDataNode() throws IOException, InterruptedException;

  /** Reads every byte back. */
  SideOutcome.Kept verify() throws IOException, InterruptedException;

  /** Replicas of the hot file. */
  int hotReplicas() throws IOException;

  /** Decisions left to stock HDFS since the NameNode started. */
  long fallbacks() throws IOException;

  /**
   * The steps of a run, the first of which is up to whoever calls {@link #play}.
   *
   * @param side whose run it is
   * @param first what comes before
   * @param expectedMs about how long filling, writing, encoding with the reads' end, recovery and
   *     reading back take
   */
  static List<Progress.Step> steps(String side, Progress.Step first, long... expectedMs) {
    List<String> names =
        List.of(
            "filling it",
            "writes and reads under load",
            "files become stripes",
            "a DataNode dies",
            "reading everything back");
    List<Progress.Step> steps = new ArrayList<>(List.of(first));
    for (int i = 0; i < names.size(); i++) {
      steps.add(new Progress.Step(names.get(i) + " with " + side, expectedMs[i]));
    }
    return steps;
  }

  /** Plays it from beginning to end. */
  static SideOutcome play(SideCourse course, Progress progress)
      throws IOException, InterruptedException {
    progress.next();
    course.fill();
    progress.next();
    long fallbacksBefore = course.fallbacks();
    SideOutcome.Writes writes = course.write();
    progress.next();
    SideOutcome.Encoded encoded = course.encode();
    SideOutcome.Reads reads = course.read();
    progress.next();
    SideOutcome.Recovery recovery = course.loseDataNode();
    progress.next();
    SideOutcome.Kept kept = course.verify();
    return new SideOutcome(
        writes,
        reads,
        course.hotReplicas(),
        encoded,
        recovery,
        kept,
        course.fallbacks() - fallbacksBefore);
  }
}
