package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.util.List;
import org.rackweave.cli.testbed.compare.worker.Report.Done;

/** One way to encode the files of a plan, which are there already. */
interface Encoding {

  /**
   * What has been encoded.
   *
   * @param dataBytes parity not counted
   * @param relocations blocks that have to move before no rack has too many, over stripes
   */
  record Outcome(long dataBytes, double relocations) {}

  /**
   * Adds what workers do for it, reported under names that begin with {@code encode}.
   *
   * @param atMs when they begin, in milliseconds after the run's start
   */
  default void addTo(HostTasks tasks, long atMs) throws IOException {}

  /** Called at that moment. */
  default void begin() throws IOException {}

  /**
   * Whether all is encoded.
   *
   * @param done what workers have done of its tasks
   */
  boolean isOver(List<Done> done) throws IOException;

  /** Tells what came out, when it is over; what need not be measured is finished first. */
  Outcome outcome(List<Done> done) throws IOException, InterruptedException;

  /** Where the file of that name can be read once it is encoded. */
  String readable(String name);
}
