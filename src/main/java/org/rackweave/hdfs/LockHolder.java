package org.rackweave.hdfs;

/** As whom HDFS reports our holds of the namesystem's lock, in its log and its metrics. */
public final class LockHolder {
  public static final String NAME = "rackweave";

  private LockHolder() {}
}
