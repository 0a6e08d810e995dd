package org.rackweave.hdfs.degraded;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * What a DataNode asks or tells a NameNode beside its heartbeats.
 *
 * <p>As bytes: version, kind (one byte each), UUID, then what the kind has.
 */
public sealed interface Question {
  /** UUID of the DataNode. */
  String datanodeUuid();

  /**
   * It decodes for clients. Said again and again; who is not heard of does not.
   *
   * @param port where it listens
   */
  record Announcement(String datanodeUuid, int port) implements Question {}

  /**
   * How to make a block? Answered with an order to decode it, in the form of {@link
   * org.rackweave.hdfs.work.WorkCodec}, or nothing when it cannot be made.
   */
  record Recipe(String datanodeUuid, long blockId, long generationStamp) implements Question {}

  /** First byte. */
  int VERSION = 1;

  /** It as bytes. */
  default byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeByte(this instanceof Announcement ? 1 : 2);
      out.writeUTF(datanodeUuid());
      if (this instanceof Announcement announcement) {
        out.writeInt(announcement.port());
      } else if (this instanceof Recipe recipe) {
        out.writeLong(recipe.blockId());
        out.writeLong(recipe.generationStamp());
      }
    } catch (IOException e) {
      throw new AssertionError("memory does not fail", e);
    }
    return bytes.toByteArray();
  }

  /**
   * The inverse of {@link #toBytes}.
   *
   * @throws IOException saying what is wrong with the bytes
   */
  static Question of(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int version = in.readUnsignedByte();
      if (version != VERSION) {
        throw new IOException("a question of version " + version + ": known is " + VERSION);
      }
      int kind = in.readUnsignedByte();
      String uuid = in.readUTF();
      return switch (kind) {
        case 1 -> new Announcement(uuid, in.readInt());
        case 2 -> new Recipe(uuid, in.readLong(), in.readLong());
        default -> throw new IOException("a question of the unknown kind " + kind);
      };
    }
  }
}
