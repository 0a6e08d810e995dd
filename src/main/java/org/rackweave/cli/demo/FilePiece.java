package org.rackweave.cli.demo;

import java.nio.file.Path;

/**
 * A part of an input file that is copied as one HDFS file.
 *
 * @param file the file on the local disk
 * @param offset where the part begins, in bytes
 * @param length bytes of the part, at least 1
 */
public record FilePiece(Path file, long offset, int length) {

  /** A name for the copy, unique within one input directory together with its arrival number. */
  public String name() {
    return file.getFileName() + (offset == 0 ? "" : "@" + offset);
  }
}
