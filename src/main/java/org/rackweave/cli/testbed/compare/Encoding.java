package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.rackweave.cli.testbed.compare.worker.Report.Done;
import org.rackweave.cli.testbed.compare.worker.Task;

/** One way to encode the files of a plan, which are there already. */
interface Encoding {

  /** How far it is. */
  record State(boolean isOver, long dataBytes) {}

  /**
   * What workers do for it, by host.
   *
   * @param atMs when they begin, in milliseconds after the run's start
   */
  Map<String, List<Task>> tasks(long atMs) throws IOException;

  /** Called at that moment. */
  default void begin() throws IOException {}

  /**
   * Looks how far it is.
   *
   * @param done what workers have done of its tasks
   */
  State state(List<Done> done) throws IOException;

  /** Blocks that have to move before no rack has too many of a stripe, over stripes. */
  double relocations() throws IOException, InterruptedException;

  /** Where the file of that name can be read once it is encoded. */
  String readable(String name);
}
