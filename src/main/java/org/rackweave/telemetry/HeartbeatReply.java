package org.rackweave.telemetry;

/**
 * What the NameNode asks of an agent on the reply to a heartbeat. It holds until the next reply.
 *
 * @param topReads how many block read counts to send, 0 to {@link HeartbeatReport#MAX_TOP_READS}; 0
 *     = do not count reads
 */
public record HeartbeatReply(int topReads) {

  /** Asks for nothing; what an agent assumes of a NameNode that says nothing. */
  public static final HeartbeatReply NOTHING = new HeartbeatReply(0);

  public HeartbeatReply {
    if (topReads < 0 || topReads > HeartbeatReport.MAX_TOP_READS) {
      throw new IllegalArgumentException(
          "topReads must be within 0 to " + HeartbeatReport.MAX_TOP_READS + ": " + topReads);
    }
  }
}
