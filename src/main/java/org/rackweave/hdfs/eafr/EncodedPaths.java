package org.rackweave.hdfs.eafr;

/** Which files have their redundancy from something else of Rackweave's and are left alone. */
@FunctionalInterface
public interface EncodedPaths {
  /** Whether a file is encoded, or is to be. */
  boolean isEncoded(String path);
}
