package org.rackweave.hdfs;

/** What placement does with our decisions. */
public enum Mode {
  /** They are carried out. */
  ACTIVE,
  /** They are made and counted; stock HDFS acts. */
  SHADOW,
  /** None are made; stock HDFS acts. */
  OFF
}
