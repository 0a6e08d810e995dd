package org.rackweave.erasure;

import java.io.IOException;

/** What was encoded does not come back when it is decoded: memory, processor or coder is faulty. */
public final class MiscodedException extends IOException {
  private static final long serialVersionUID = 1;

  MiscodedException(String message) {
    super(message);
  }
}
