package org.rackweave.hdfs.eafr;

import java.io.IOException;
import java.util.List;

/** Changes what is done with decisions, for all NameNodes and for good. */
@FunctionalInterface
public interface ModeSwitch {
  /**
   * @param words as {@link org.rackweave.hdfs.FeatureModes#with(List)} takes them
   * @throws IllegalStateException when they are in force here, and cannot be kept
   */
  void say(List<String> words) throws IOException;
}
