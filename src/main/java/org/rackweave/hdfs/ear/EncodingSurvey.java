package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.PathCodes;

/** Walks over the files below a path and tells how each stands with regard to encoding. */
final class EncodingSurvey {
  private final NamenodeProtocols nameNode;
  private final PathCodes paths;
  private final EncodedStripes encoded;
  private final JobStatus status;

  /**
   * @param status asked at each file whether the walk is to go on
   */
  EncodingSurvey(
      NamenodeProtocols nameNode, PathCodes paths, EncodedStripes encoded, JobStatus status) {
    this.nameNode = nameNode;
    this.paths = paths;
    this.encoded = encoded;
    this.status = status;
  }

  /**
   * A file.
   *
   * @param code by which it is to be encoded, empty for none
   * @param whyNot why nothing of it can be encoded, empty when something can
   * @param encodedBlocks how many are
   * @param parityBytes of their stripes, as much as they answer for
   */
  record Surveyed(
      String path,
      HdfsFileStatus status,
      Optional<ErasureCode> code,
      Optional<WhyNot> whyNot,
      List<LocatedBlock> blocks,
      int encodedBlocks,
      long encodedBytes,
      long parityBytes) {}

  /** Why a file is not encoded. */
  enum WhyNot {
    NO_CODE("no rule gives it a code"),
    STRIPED("HDFS stripes it itself"),
    OPEN("somebody writes it"),
    EMPTY("it is empty"),
    TOO_SMALL("it is smaller than its rule allows"),
    ONE_REPLICA("it has one replica, and nothing to choose from");

    final String words;

    WhyNot(String words) {
      this.words = words;
    }
  }

  /** Takes what is found. */
  @FunctionalInterface
  interface Visitor {
    void visit(Surveyed file) throws IOException, InterruptedException;
  }

  /**
   * Visits every file below a directory, or the one file.
   *
   * @throws IOException when there is no such path
   */
  void walk(String path, Visitor visitor) throws IOException, InterruptedException {
    HdfsFileStatus found = nameNode.getFileInfo(path);
    if (found == null) {
      throw new IOException("there is no " + path);
    }
    if (!found.isDirectory()) {
      visitor.visit(surveyed(path, nameNode.getLocatedFileInfo(path, false)));
      return;
    }
    NamespaceScan walk =
        new NamespaceScan(
            (directory, startAfter) -> nameNode.getListing(directory, startAfter, true),
            List.of(path),
            directory -> true);
    List<Surveyed> page = new ArrayList<>();
    while (walk.step(
        (child, listed) -> page.add(surveyed(child, (HdfsLocatedFileStatus) listed)))) {
      for (Surveyed file : page) {
        status.goOn();
        visitor.visit(file);
      }
      page.clear();
    }
  }

  private Surveyed surveyed(String path, HdfsLocatedFileStatus file) {
    Optional<ErasureCode> code = paths.of(path);
    LocatedBlocks located = file.getLocatedBlocks();
    List<LocatedBlock> blocks = located == null ? List.of() : located.getLocatedBlocks();
    int encodedBlocks = 0;
    long encodedBytes = 0;
    long parityBytes = 0;
    if (file.getErasureCodingPolicy() == null) {
      for (LocatedBlock block : blocks) {
        Optional<EncodedStripes.Stripe> stripe = encoded.of(block.getBlock().getBlockId());
        if (stripe.isPresent()) {
          encodedBlocks++;
          encodedBytes += block.getBlockSize();
          parityBytes += stripe.get().record().parityShareBytes(block.getBlockSize());
        }
      }
    }
    return new Surveyed(
        path,
        file,
        code,
        whyNot(file, code, located, blocks, encodedBlocks, paths.termsOf(path).minBytes()),
        blocks,
        encodedBlocks,
        encodedBytes,
        parityBytes);
  }

  private static Optional<WhyNot> whyNot(
      HdfsFileStatus file,
      Optional<ErasureCode> code,
      LocatedBlocks located,
      List<LocatedBlock> blocks,
      int encodedBlocks,
      long minBytes) {
    if (file.getErasureCodingPolicy() != null) {
      return Optional.of(WhyNot.STRIPED);
    }
    if (code.isEmpty()) {
      return Optional.of(WhyNot.NO_CODE);
    }
    if (blocks.isEmpty()) {
      return Optional.of(WhyNot.EMPTY);
    }
    if (located.isUnderConstruction()) {
      return Optional.of(WhyNot.OPEN);
    }
    if (file.getLen() < minBytes && encodedBlocks == 0) {
      return Optional.of(WhyNot.TOO_SMALL);
    }
    return file.getReplication() == 1 && encodedBlocks == 0
        ? Optional.of(WhyNot.ONE_REPLICA)
        : Optional.empty();
  }
}
