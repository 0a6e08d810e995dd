package org.rackweave.hdfs.degraded;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.rackweave.hdfs.work.DecodeTask;
import org.rackweave.hdfs.work.MoveTask;
import org.rackweave.hdfs.work.Task;

/**
 * What a DataNode asks or tells a NameNode beside its heartbeats.
 *
 * <p>As bytes: version, kind (one byte each), UUID, then what the kind has.
 */
public sealed interface NameNodeQuery {
  /** UUID of the DataNode. */
  String datanodeUuid();

  /**
   * It decodes for clients. Said again and again; who is not heard of does not.
   *
   * @param port where it listens
   */
  record Announcement(String datanodeUuid, int port) implements NameNodeQuery {
    private static final int PORT_MAX = 65535;

    /**
     * @throws IllegalArgumentException when there is no such port
     */
    public Announcement {
      if (port < 1 || port > PORT_MAX) {
        throw new IllegalArgumentException("port " + port);
      }
    }
  }

  /**
   * How to get at a block? Answered, in the form of {@link org.rackweave.hdfs.work.WorkCodec}, with
   * an order to fetch it from where there is a replica, or else to decode it; with nothing when
   * neither can be.
   *
   * <p>Block ids and generation stamps of two namespaces on the same DataNodes are equal: the block
   * pool tells them apart.
   *
   * @param unreachable UUIDs of DataNodes that do not answer, at most {@value #UNREACHABLE_MAX}; a
   *     NameNode comes to know that only after minutes
   */
  record Recipe(
      String datanodeUuid,
      String blockPool,
      long blockId,
      long generationStamp,
      List<String> unreachable)
      implements NameNodeQuery {
    public static final int UNREACHABLE_MAX = 255;

    public Recipe {
      unreachable = List.copyOf(unreachable);
    }

    /** Asks for a block; its length does not matter. */
    public static Recipe of(String datanodeUuid, ExtendedBlock block, List<String> unreachable) {
      return new Recipe(
          datanodeUuid,
          block.getBlockPoolId(),
          block.getBlockId(),
          block.getGenerationStamp(),
          unreachable);
    }

    /**
     * Whether a task makes the very block that was asked for, of blocks of its own namespace, or
     * has it read where it is.
     */
    public boolean isAnsweredBy(Task task) {
      if (task instanceof MoveTask there) {
        return isAskedFor(there.from()) && isAskedFor(there.to());
      }
      return task instanceof DecodeTask decode
          && decode.wanted().size() == 1
          && isAskedFor(decode.wanted().get(0).block())
          && decode.sources().stream()
              .allMatch(unit -> unit.block().getBlock().getBlockPoolId().equals(blockPool));
    }

    private boolean isAskedFor(LocatedBlock located) {
      ExtendedBlock block = located.getBlock();
      return block.getBlockId() == blockId
          && block.getGenerationStamp() == generationStamp
          && block.getBlockPoolId().equals(blockPool);
    }
  }

  /** First byte. */
  int VERSION = 3;

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
        out.writeUTF(recipe.blockPool());
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
  static NameNodeQuery of(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int version = in.readUnsignedByte();
      if (version != VERSION) {
        throw new IOException("a question of version " + version + ": known is " + VERSION);
      }
      int kind = in.readUnsignedByte();
      String uuid = in.readUTF();
      return switch (kind) {
        case 1 -> new Announcement(uuid, in.readInt());
        case 2 -> new Recipe(uuid, in.readUTF(), in.readLong(), in.readLong(), uuids(in));
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
