package org.rackweave.hdfs.ear;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetServerDefaultsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetServerDefaultsResponseProto;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.PiggybackField;

/**
 * Where a command that has stripes encoded outside HDFS fetches work of a rack and says how it
 * stands, in the words of {@link org.rackweave.hdfs.work.WorkCodec}: on the back of a client's call
 * for the server's defaults. Work comes with block tokens, because the worker has no keys, so it is
 * for superusers only, and travels as HDFS's own tokens do. {@link EncodingAdmin} cannot do it:
 * Hadoop logs every answer of a refresh handler.
 */
public final class OutsideWork {
  private static final int VERSION = 1;

  private final EncodingService service;
  private final Superusers superusers;

  /** Who may fetch work. */
  @FunctionalInterface
  public interface Superusers {
    /**
     * Lets superusers pass.
     *
     * @param operation for the audit log
     * @throws IOException when the caller whom this thread answers is none
     */
    void check(String operation) throws IOException;
  }

  OutsideWork(EncodingService service, Superusers superusers) {
    this.service = service;
    this.superusers = superusers;
  }

  /** The call that asks for work of a rack and says how what was fetched stands. */
  public static GetServerDefaultsRequestProto ask(String rack, byte[] reports) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeUTF(rack);
      out.write(reports);
    } catch (IOException e) {
      throw new AssertionError("memory does not fail", e);
    }
    return PiggybackField.attach(
        GetServerDefaultsRequestProto.getDefaultInstance(), bytes.toByteArray());
  }

  /**
   * What the answer to {@link #ask} has for the rack.
   *
   * @throws IOException when the NameNode does not know such calls
   */
  public static byte[] told(GetServerDefaultsResponseProto answer) throws IOException {
    ByteString work = PiggybackField.find(answer.getUnknownFields());
    if (work == null) {
      throw new IOException("the NameNode has no Rackweave, or one of another version");
    }
    return work.toByteArray();
  }

  /** Whether a call asks for work. */
  boolean isAskedIn(Message request) {
    return request instanceof GetServerDefaultsRequestProto
        && PiggybackField.find(request.getUnknownFields()) != null;
  }

  /**
   * Answers who asks for work.
   *
   * @param response HDFS's own, which says that this NameNode is active
   * @throws IOException when the caller is no superuser, or there is no work to be had now
   */
  Message answer(Message request, Message response) throws IOException {
    superusers.check("fetch work of " + EncodingAdmin.IDENTIFIER);
    if (!service.isReady()) {
      throw new StandbyException(EncodingAdmin.NOT_READY);
    }
    ByteString asked = PiggybackField.find(request.getUnknownFields());
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(asked.toByteArray()))) {
      int version = in.readUnsignedByte();
      if (version != VERSION) {
        throw new IOException("a call for work of version " + version + ": known is " + VERSION);
      }
      String rack = in.readUTF();
      byte[] reports = in.readAllBytes();
      return PiggybackField.attach(
          response, service.outside().heard(rack, reports, Time.monotonicNow()));
    }
  }
}
