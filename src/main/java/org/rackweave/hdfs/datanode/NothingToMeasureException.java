package org.rackweave.hdfs.datanode;

/**
 * There is no link whose load would mean anything, for a reason the message gives to the operator.
 * An expected state, possibly on every heartbeat, so it carries no stack trace.
 */
final class NothingToMeasureException extends Exception {
  private static final long serialVersionUID = 1;

  NothingToMeasureException(String reason) {
    super(reason, null, false, false);
  }
}
