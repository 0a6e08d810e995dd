package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import org.rackweave.cli.Progress;

/** How an experiment goes. */
interface Procedure {

  /**
   * What {@link #run} is going to do, testbeds included, one step each; repetitions are not
   * included.
   */
  List<Progress.Step> steps();

  /** Does it. */
  Findings run(Clusters clusters) throws IOException, InterruptedException;

  /** What came out, for people and for programs. */
  interface Findings {
    /** Tables for a terminal. */
    String text();

    ObjectNode json();

    /** A page of charts. */
    String html();
  }
}
