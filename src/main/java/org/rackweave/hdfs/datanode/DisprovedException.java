package org.rackweave.hdfs.datanode;

import java.io.IOException;

/** What was made or read is not what was encoded, and has not been passed on. */
final class DisprovedException extends IOException {
  private static final long serialVersionUID = 1;

  DisprovedException(String message) {
    super(message);
  }
}
