package org.rackweave.cli.demo;

/**
 * A file that was copied into HDFS.
 *
 * @param path where it is
 * @param bytes how long it must be
 * @param sha256 what its bytes must digest to
 * @param seconds from create to close
 */
record WrittenFile(String path, int bytes, byte[] sha256, double seconds) {}
