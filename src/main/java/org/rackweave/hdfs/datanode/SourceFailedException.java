package org.rackweave.hdfs.datanode;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** A DataNode does not serve a block that was to be read from it. */
final class SourceFailedException extends IOException {
  private static final long serialVersionUID = 1;

  private final String datanodeUuid;

  SourceFailedException(LocatedBlock block, IOException cause) {
    super(
        block.getBlock() + " cannot be read from " + block.getLocations()[0] + ": " + cause, cause);
    datanodeUuid = block.getLocations()[0].getDatanodeUuid();
  }

  String datanodeUuid() {
    return datanodeUuid;
  }
}
