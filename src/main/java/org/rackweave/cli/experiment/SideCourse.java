package org.rackweave.cli.experiment;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * What both sides go through where all features are compared with none, on whatever cluster: files
 * are written and read while background load moves and a file gets hot; a directory becomes
 * stripes; a DataNode dies; what is read and rebuilt then; and whether every byte is still there.
 * The methods are called once each, in this order.
 */
public interface SideCourse {
  /** Writes what is there before the load begins; the rules come before the files. */
  void fill() throws IOException, InterruptedException;

  /** Begins the load, and returns when no other write begins. */
  void write() throws IOException, InterruptedException;

  /** Has a directory become stripes while reads go on. */
  void encode() throws IOException, InterruptedException;

  /** Lets reads come to their end. */
  void read() throws IOException, InterruptedException;

  /** What became of the writes. */
  SideOutcome.Writes writes() throws IOException;

  /** What became of the reads. */
  SideOutcome.Reads reads();

  /** Stops a DataNode, and returns when every block is whole again. */
  SideOutcome.Recovery loseDataNode() throws IOException, InterruptedException;

  /** Reads every byte back. */
  SideOutcome.Kept verify() throws IOException, InterruptedException;

  /** What is still encoded, and what it took. */
  SideOutcome.Encoded encoded() throws IOException;

  /** Replicas of the hot file. */
  int hotReplicas() throws IOException;

  /** Decisions left to stock HDFS since the NameNode started. */
  long fallbacks() throws IOException;

  /** What it consists of. */
  List<String> PHASES =
      List.of(
          "filling it",
          "writes and reads under load",
          "files become stripes",
          "a DataNode dies",
          "reading everything back");

  /**
   * Plays it from beginning to end.
   *
   * @param begins told each of {@link #PHASES} as it begins
   */
  static SideOutcome play(SideCourse course, Consumer<String> begins)
      throws IOException, InterruptedException {
    begins.accept(PHASES.get(0));
    course.fill();
    begins.accept(PHASES.get(1));
    long fallbacksBefore = course.fallbacks();
    course.write();
    begins.accept(PHASES.get(2));
    course.encode();
    course.read();
    SideOutcome.Writes writes = course.writes();
    SideOutcome.Reads reads = course.reads();
    begins.accept(PHASES.get(3));
    SideOutcome.Recovery recovery = course.loseDataNode();
    begins.accept(PHASES.get(4));
    SideOutcome.Kept kept = course.verify();
    return new SideOutcome(
        writes,
        reads,
        course.hotReplicas(),
        course.encoded(),
        recovery,
        kept,
        course.fallbacks() - fallbacksBefore);
  }
}
