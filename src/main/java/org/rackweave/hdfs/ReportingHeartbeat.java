package org.rackweave.hdfs;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeRegistrationProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.thirdparty.protobuf.AbstractMessage;
import org.apache.hadoop.thirdparty.protobuf.AbstractParser;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.Descriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.ExtensionRegistryLite;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.Parser;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;

/**
 * A heartbeat with an agent's report before its first field.
 *
 * <p>On the wire it is a heartbeat with one unknown field, {@link PiggybackField#NUMBER}, which a
 * NameNode without Rackweave skips. Because that field comes first, a NameNode with Rackweave takes
 * it off the front and gives the rest to HDFS's own parser: collecting unknown fields, as Protocol
 * Buffers does, would cost a tenth of the whole heartbeat. A report that does not come first stays
 * among the unknown fields and is not read.
 */
public final class ReportingHeartbeat extends AbstractMessage {
  private static final int LENGTH_DELIMITED = 2;
  private static final int REPORT_TAG = PiggybackField.NUMBER << 3 | LENGTH_DELIMITED;
  private static final int REGISTRATION_TAG =
      HeartbeatRequestProto.REGISTRATION_FIELD_NUMBER << 3 | LENGTH_DELIMITED;
  private static final ReportingHeartbeat EMPTY =
      new ReportingHeartbeat(HeartbeatRequestProto.getDefaultInstance(), null);
  private static final Parser<ReportingHeartbeat> PARSER = new FrontParser();

  private final HeartbeatRequestProto heartbeat;
  private final byte[] report;

  /**
   * @param report encoded report, not copied, or {@code null}
   */
  public ReportingHeartbeat(HeartbeatRequestProto heartbeat, byte[] report) {
    this.heartbeat = heartbeat;
    this.report = report;
  }

  /** The message whose parser reads heartbeats with and without a report. */
  public static ReportingHeartbeat prototype() {
    return EMPTY;
  }

  /** The heartbeat as HDFS knows it. */
  public HeartbeatRequestProto heartbeat() {
    return heartbeat;
  }

  /** The encoded report, unchecked and not copied, or {@code null} when there is none. */
  public byte[] report() {
    return report;
  }

  private static final class FrontParser extends AbstractParser<ReportingHeartbeat> {
    @Override
    public ReportingHeartbeat parsePartialFrom(CodedInputStream in, ExtensionRegistryLite registry)
        throws InvalidProtocolBufferException {
      try {
        int tag = in.readTag();
        if (tag == REPORT_TAG) {
          byte[] report = in.readByteArray();
          return new ReportingHeartbeat(withFirstField(in.readTag(), in, registry), report);
        }
        return new ReportingHeartbeat(withFirstField(tag, in, registry), null);
      } catch (InvalidProtocolBufferException e) {
        throw e;
      } catch (IOException e) {
        throw new InvalidProtocolBufferException(e);
      }
    }
  }

  /** Reads on after the tag of the first field; there is no way to put a tag back. */
  private static HeartbeatRequestProto withFirstField(
      int tag, CodedInputStream in, ExtensionRegistryLite registry) throws IOException {
    HeartbeatRequestProto.Builder heartbeat = HeartbeatRequestProto.newBuilder();
    if (tag == REGISTRATION_TAG) { // every heartbeat of a stock DataNode
      heartbeat.setRegistration(in.readMessage(DatanodeRegistrationProto.parser(), registry));
    } else if (tag != 0) {
      heartbeat.mergeFrom(copyField(tag, in), registry);
    }
    return heartbeat.mergeFrom(in, registry).buildPartial();
  }

  private static ByteString copyField(int tag, CodedInputStream in) throws IOException {
    ByteString.Output field = ByteString.newOutput();
    CodedOutputStream copy = CodedOutputStream.newInstance(field);
    in.skipField(tag, copy);
    copy.flush();
    return field.toByteString();
  }

  @Override
  public void writeTo(CodedOutputStream out) throws IOException {
    if (report != null) {
      out.writeByteArray(PiggybackField.NUMBER, report);
    }
    heartbeat.writeTo(out);
  }

  @Override
  public int getSerializedSize() {
    int front =
        report == null ? 0 : CodedOutputStream.computeByteArraySize(PiggybackField.NUMBER, report);
    return front + heartbeat.getSerializedSize();
  }

  @Override
  public boolean isInitialized() {
    return heartbeat.isInitialized();
  }

  @Override
  public Parser<ReportingHeartbeat> getParserForType() {
    return PARSER;
  }

  @Override
  public Message getDefaultInstanceForType() {
    return EMPTY;
  }

  // The methods below show the heartbeat alone, for printing and comparing messages.

  @Override
  public Message.Builder newBuilderForType() {
    return HeartbeatRequestProto.newBuilder();
  }

  @Override
  public Message.Builder toBuilder() {
    return heartbeat.toBuilder();
  }

  @Override
  public Descriptor getDescriptorForType() {
    return heartbeat.getDescriptorForType();
  }

  @Override
  public Map<FieldDescriptor, Object> getAllFields() {
    return heartbeat.getAllFields();
  }

  @Override
  public boolean hasField(FieldDescriptor field) {
    return heartbeat.hasField(field);
  }

  @Override
  public Object getField(FieldDescriptor field) {
    return heartbeat.getField(field);
  }

  @Override
  public int getRepeatedFieldCount(FieldDescriptor field) {
    return heartbeat.getRepeatedFieldCount(field);
  }

  @Override
  public Object getRepeatedField(FieldDescriptor field, int index) {
    return heartbeat.getRepeatedField(field, index);
  }

  @Override
  public UnknownFieldSet getUnknownFields() {
    return heartbeat.getUnknownFields();
  }
}
