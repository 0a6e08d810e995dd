package org.rackweave.hdfs.roles;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/**
 * What is kept of a DataNode that sleeps, or is about to: enough to wake it by a NameNode that has
 * never heard of it.
 *
 * @param uuid the DataNode's
 * @param host name of its machine
 * @param address IP address of its machine
 * @param port for block transfers, which tells several DataNodes of one machine apart
 * @param sinceMs when it turned cold, wall clock
 * @param blocks that it had then, {@link #UNKNOWN} where the record does not say
 */
public record ColdServer(
    String uuid, String host, String address, int port, long sinceMs, int blocks) {
  /** In a record from before these were kept. */
  static final int UNKNOWN = -1;

  private static final String COMMA = ",";
  private static final int FIELDS = 5;

  static ColdServer of(DatanodeDescriptor datanode, long sinceMs) {
    return new ColdServer(
        datanode.getDatanodeUuid(),
        datanode.getHostName(),
        datanode.getIpAddr(),
        datanode.getXferPort(),
        sinceMs,
        datanode.numBlocks());
  }

  /** The name of its record. */
  String recordName() {
    String name =
        String.join(
            COMMA,
            word(uuid),
            word(host),
            word(address),
            Integer.toString(port),
            Long.toString(sinceMs));
    return blocks == UNKNOWN ? name : name + COMMA + blocks;
  }

  /** What a record says, empty when it is not one of ours. */
  static Optional<ColdServer> parse(String recordName) {
    String[] fields = recordName.split(COMMA, -1);
    boolean hasBlocks = fields.length == FIELDS + 1;
    if (!hasBlocks && fields.length != FIELDS
        || !fields[3].matches("[0-9]{1,5}")
        || !fields[4].matches("[0-9]{1,18}")
        || hasBlocks && !fields[FIELDS].matches("[0-9]{1,9}")) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new ColdServer(
              URLDecoder.decode(fields[0], StandardCharsets.UTF_8),
              URLDecoder.decode(fields[1], StandardCharsets.UTF_8),
              URLDecoder.decode(fields[2], StandardCharsets.UTF_8),
              Integer.parseInt(fields[3]),
              Long.parseLong(fields[4]),
              hasBlocks ? Integer.parseInt(fields[FIELDS]) : UNKNOWN));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // what somebody else has put there
    }
  }

  private static String word(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** For people. */
  public String place() {
    return host + ':' + port;
  }
}
