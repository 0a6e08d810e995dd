package org.rackweave.hdfs;

import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;

/**
 * The unknown Protocol Buffers field that carries Rackweave's bytes on heartbeats, their replies,
 * and the calls of {@code NameNodeChannel}. A NameNode or DataNode without Rackweave skips it, as
 * it skips every field it does not know. {@link ReportingHeartbeat} puts it on heartbeats; replies
 * are rare enough for the way Protocol Buffers has for unknown fields.
 */
public final class PiggybackField {
  /** Far above the numbers Hadoop uses. */
  public static final int NUMBER = 9741;

  private PiggybackField() {}

  /** The same message with a payload. */
  @SuppressWarnings("unchecked") // a builder builds what it was made of
  public static <M extends Message> M attach(M message, byte[] payload) {
    return (M) message.toBuilder().mergeUnknownFields(field(payload)).build();
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
