package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.rackweave.telemetry.LinkCounters;

/** Reads the counters of a DataNode's link. */
interface LinkSampler {

  /**
   * @param heartbeat the heartbeat about to be sent, which names the DataNode and its address
   * @throws NothingToMeasureException if there is no link to count; the next call may find one
   * @throws IOException if the counters cannot be read
   */
  LinkSample sample(HeartbeatRequestProto heartbeat) throws NothingToMeasureException, IOException;

  /**
   * Reads only the counters of bytes, at little cost, of the link that the last {@link #sample} has
   * found. May run while a sample is taken; not twice at a time.
   *
   * @return none when no link was found, or when it is gone
   * @throws IOException if the counters cannot be read
   */
  default Optional<LinkCounters> counters(String datanodeUuid) throws IOException {
    return Optional.empty();
  }
}
