package org.rackweave.hdfs.datanode;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;

/** Reads the counters of a DataNode's link. */
interface LinkSampler {

  /**
   * @param heartbeat the heartbeat about to be sent, which names the DataNode and its address
   * @throws NothingToMeasureException if there is no link to count; the next call may find one
   * @throws IOException if the counters cannot be read
   */
  LinkSample sample(HeartbeatRequestProto heartbeat) throws NothingToMeasureException, IOException;
}
