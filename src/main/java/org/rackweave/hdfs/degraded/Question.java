package org.rackweave.hdfs.degraded;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

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
   *
   * @param unreachable UUIDs of DataNodes that do not answer, at most {@value #UNREACHABLE_MAX}; a
   *     NameNode comes to know that only after minutes
   */
  record Recipe(String datanodeUuid, long blockId, long generationStamp, List<String> unreachable)
      implements Question {
    public static final int UNREACHABLE_MAX = 255;

    public Recipe {
      unreachable = List.copyOf(unreachable);
    }
  }

  /** First byte. */
  int VERSION = 2;

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
        out.writeByte(recipe.unreachable().size());
        for (String unreachable : recipe.unreachable()) {
          out.writeUTF(unreachable);
        }
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
        case 2 -> new Recipe(uuid, in.readLong(), in.readLong(), uuids(in));
        default -> throw new IOException("a question of the unknown kind " + kind);
      };
    }
  }

  private static List<String> uuids(DataInputStream in) throws IOException {
    List<String> uuids = new ArrayList<>();
    for (int left = in.readUnsignedByte(); left > 0; left--) {
      uuids.add(in.readUTF());
    }
    return uuids;
  }
}
