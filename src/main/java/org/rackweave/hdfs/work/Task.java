package org.rackweave.hdfs.work;

import org.rackweave.ear.ErasureCode;

/** What a DataNode can be told to do. */
public sealed interface Task permits EncodeTask, DecodeTask, MoveTask, VerifyTask, SearchTask {

  /** The code of the stripe it is about. */
  ErasureCode code();

  /** Most that is read in a second; 0 as fast as it goes. */
  long bytesPerSec();

  /** Blocks that are read. */
  int blocksRead();

  /** Whether nothing is read: it only looks what there is, and waits for no other work. */
  default boolean isQuestion() {
    return blocksRead() == 0;
  }

  /**
   * @throws IllegalArgumentException when a proof is of no stripe of the code
   */
  static void requireOf(ErasureCode code, StripeProof proof) {
    if (proof.lengths().size() > code.dataBlocks()
        || proof.checksums().size() != proof.lengths().size() + code.parityBlocks()) {
      throw new IllegalArgumentException("a proof of no stripe of " + code.name());
    }
  }

  /**
   * @throws IllegalArgumentException when a rate is negative
   */
  static void requireRate(long bytesPerSec) {
    if (bytesPerSec < 0) {
      throw new IllegalArgumentException(bytesPerSec + " bytes a second");
    }
  }
}
