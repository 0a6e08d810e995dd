package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.rackweave.cli.Progress;

/** How an experiment goes on a testbed that is up. */
interface Procedure {

  /** What {@link #run} is going to do, one step each, repetitions not included. */
  List<Progress.Step> steps();

  /** HDFS properties that a testbed needs for it which is brought up. */
  default Map<String, String> properties() {
    return Map.of();
  }

  /** Does it. */
  Findings run(Session session) throws IOException, InterruptedException;

  /** What came out, for people and for programs. */
  interface Findings {
    /** Tables for a terminal. */
    String text();

    ObjectNode json();

    /** A page of charts. */
    String html();
  }
}
