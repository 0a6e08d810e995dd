package org.rackweave.health;

import java.util.ArrayList;
import java.util.List;

/**
 * Something that is not as it should be.
 *
 * @param code what it is, for scripts and to mute it; never changes its meaning
 * @param severity how bad it is
 * @param summary one sentence
 * @param whatToDo one or two sentences
 * @param details what is concerned, the first of many
 */
public record Finding(
    String code, Severity severity, String summary, String whatToDo, List<String> details) {
  private static final int DETAILS_MAX = 50;

  /** How bad it is; the later the worse. */
  public enum Severity {
    /** Something could be better; all does what it should. */
    INFO,
    /** A feature does less than it could; stock HDFS does its part. */
    WARN,
    /** Encoded data, what guards it, or what Rackweave decides by is concerned. */
    ERR
  }

  /** Keeps the first details. */
  public Finding {
    int more = details.size() - DETAILS_MAX;
    if (more > 0) {
      List<String> first = new ArrayList<>(details.subList(0, DETAILS_MAX));
      first.add("and " + more + " more");
      details = first;
    }
    details = List.copyOf(details);
  }
}
