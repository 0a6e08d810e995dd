package org.rackweave.hdfs.admin;

import java.io.IOException;
import java.util.List;

/** Does what an administrator says. {@link AdminRefresh} looks after the rest. */
@FunctionalInterface
public interface AdminHandler {
  /**
   * Answers.
   *
   * @param words what was said
   * @throws IllegalArgumentException when they make no sense, with what is allowed
   * @throws IllegalStateException when that cannot be now
   */
  AdminAnswer answer(List<String> words) throws IOException;
}
