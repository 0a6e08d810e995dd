package org.rackweave.hdfs.work;

import org.rackweave.ear.ErasureCode;

/** What a DataNode can be told to do. */
public sealed interface Task permits EncodeTask, DecodeTask, MoveTask {

  /** The code of the stripe it is about. */
  ErasureCode code();

  /** Most that is read in a second; 0 as fast as it goes. */
  long bytesPerSec();

  /** Blocks that are read. */
  int blocksRead();
}
