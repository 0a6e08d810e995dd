package org.rackweave.hdfs.work;

import java.util.Collections;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.rackweave.ear.ErasureCode;

/** Stripes that tests hand around and nobody encodes. */
public final class EncodeTasks {
  private EncodeTasks() {}

  /**
   * A stripe of equal blocks on one DataNode.
   *
   * @param bytesPerSec limit for the work, 0 for none
   */
  public static EncodeTask of(ErasureCode code, long blockBytes, long bytesPerSec) {
    DatanodeInfo node =
        new DatanodeInfoBuilder()
            .setDatanodeUuid("uuid")
            .setIpAddr("10.0.0.1")
            .setHostName("host")
            .build();
    LocatedBlock block =
        new LocatedBlock(
            new ExtendedBlock("pool", 1, blockBytes, 1),
            new DatanodeInfo[] {node},
            new String[] {"storage"},
            new StorageType[] {StorageType.DISK});
    return new EncodeTask(
        code,
        Collections.nCopies(code.dataBlocks(), block),
        Collections.nCopies(code.parityBlocks(), block),
        bytesPerSec);
  }
}
