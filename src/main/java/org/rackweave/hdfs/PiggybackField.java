package org.rackweave.hdfs;

import java.util.List;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;

/**
 * The unknown Protocol Buffers field that carries Rackweave's bytes on heartbeats and their
 * replies. A NameNode or DataNode without Rackweave skips it, as it skips every field it does not
 * know. {@link ReportingHeartbeat} puts it on heartbeats; replies are rare enough for the way
 * Protocol Buffers has for unknown fields.
 */
public final class PiggybackField {
  /** Far above the numbers Hadoop uses. */
  public static final int NUMBER = 9741;

  private PiggybackField() {}

  public static HeartbeatResponseProto attach(HeartbeatResponseProto reply, byte[] payload) {
    return reply.toBuilder().mergeUnknownFields(field(payload)).build();
  }

  private static UnknownFieldSet field(byte[] payload) {
    return UnknownFieldSet.newBuilder()
        .addField(
            NUMBER,
            UnknownFieldSet.Field.newBuilder()
                .addLengthDelimited(ByteString.copyFrom(payload))
                .build())
        .build();
  }

  /** The payload among a message's unknown fields, the last one of several, or {@code null}. */
  public static ByteString find(UnknownFieldSet unknown) {
    if (!unknown.hasField(NUMBER)) {
      return null;
    }
    List<ByteString> payloads = unknown.getField(NUMBER).getLengthDelimitedList();
    return payloads.isEmpty() ? null : payloads.get(payloads.size() - 1);
  }
}
