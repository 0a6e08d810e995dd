package org.rackweave.hdfs.degraded;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeID;

/**
 * DataNodes that decode, as a NameNode tells them to who may read a file: as the value of an
 * extended attribute {@value #ATTRIBUTE} that no file really has, one DataNode a line, {@code uuid
 * ip-address host port}. HDFS lets nobody set or read attributes of its {@code system} namespace,
 * so an answer is the NameNode's own word.
 */
public final class Decoders {
  /** Name without the namespace. */
  public static final String NAME = "rackweave.decoders";

  /** Name as people write it. */
  public static final String ATTRIBUTE = "system." + NAME;

  private Decoders() {}

  /**
   * The attribute's value.
   *
   * @param decoders their transfer port being the one they decode at
   */
  public static byte[] encode(List<DatanodeID> decoders) {
    StringBuilder text = new StringBuilder();
    for (DatanodeID one : decoders) {
      text.append(one.getDatanodeUuid())
          .append(' ')
          .append(one.getIpAddr())
          .append(' ')
          .append(one.getHostName())
          .append(' ')
          .append(one.getXferPort())
          .append('\n');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** The inverse of {@link #encode}; lines that are not understood are left out. */
  public static List<DatanodeID> decode(byte[] value) {
    List<DatanodeID> decoders = new ArrayList<>();
    for (String line : new String(value, StandardCharsets.UTF_8).split("\n")) {
      String[] parts = line.split(" ");
      if (parts.length == 4 && parts[3].matches("[0-9]{1,5}")) {
        decoders.add(
            new DatanodeID(parts[1], parts[2], parts[0], Integer.parseInt(parts[3]), 0, 0, 0));
      }
    }
    return decoders;
  }
}
