package org.rackweave.hdfs.work;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.rackweave.ear.ErasureCode;

/**
 * Replies and reports as bytes: a version, then lists, each with its length in front. Blocks and
 * DataNodes look as in HDFS's own messages. Who reads checks everything; a message that is not
 * understood is refused as a whole.
 *
 * <p>Checksums of what was encoded come after all reports, where those who know nothing of them do
 * not look.
 */
public final class WorkCodec {
  private static final byte VERSION = 2;

  /** Most orders or reports of one DataNode in a message. */
  public static final int ENTRIES_MAX = 64;

  private static final int BLOCK_BYTES_MAX = 4096;

  private static final int ENCODE = 1;
  private static final int DECODE = 2;
  private static final int MOVE = 3;
  private static final int VERIFY = 4;
  private static final int PROVEN_DECODE = 5;
  private static final int SEARCH = 6;

  private WorkCodec() {}

  /** For a DataNode. */
  public static byte[] encode(WorkReply reply) {
    return bytes(
        out -> {
          out.writeShort(reply.orders().size());
          for (WorkOrder order : reply.orders()) {
            write(order, out);
          }
          out.writeShort(reply.wanted().size());
          for (long id : reply.wanted()) {
            out.writeLong(id);
          }
        });
  }

  /**
   * The inverse of {@link #encode(WorkReply)}.
   *
   * @throws IOException saying what is wrong with the bytes
   */
  public static WorkReply reply(byte[] bytes) throws IOException {
    return read(
        bytes,
        in -> {
          List<WorkOrder> orders = list(in, WorkCodec::readOrder);
          return new WorkReply(orders, list(in, DataInputStream::readLong));
        });
  }

  /** For a NameNode. */
  public static byte[] encode(List<WorkReport> reports) {
    return bytes(
        out -> {
          out.writeShort(reports.size());
          for (WorkReport report : reports) {
            out.writeLong(report.id());
            out.writeByte(report.state().ordinal());
            out.writeLong(report.doneBytes());
            out.writeUTF(report.message());
            out.writeShort(report.readBytes().size());
            for (long bytes : report.readBytes()) {
              out.writeLong(bytes);
            }
          }
          for (WorkReport report : reports) {
            write(report.checksums(), (sum, to) -> to.writeInt(sum), out);
          }
        });
  }

  /**
   * The inverse of {@link #encode(List)}.
   *
   * @throws IOException saying what is wrong with the bytes
   */
  public static List<WorkReport> reports(byte[] bytes) throws IOException {
    return read(
        bytes,
        in -> {
          List<WorkReport> reports = list(in, WorkCodec::readReport);
          return in.available() == 0 ? reports : withChecksums(reports, in);
        });
  }

  private static List<WorkReport> withChecksums(List<WorkReport> reports, DataInputStream in)
      throws IOException {
    List<WorkReport> all = new ArrayList<>(reports.size());
    for (WorkReport one : reports) {
      all.add(
          new WorkReport(
              one.id(),
              one.state(),
              one.doneBytes(),
              one.message(),
              one.readBytes(),
              blocks(in, DataInputStream::readInt)));
    }
    return all;
  }

  private static void write(WorkOrder order, DataOutputStream out) throws IOException {
    Task task = order.task();
    out.writeLong(order.id());
    out.writeUTF(task.code().name());
    out.writeLong(task.bytesPerSec());
    if (task instanceof EncodeTask encode) {
      out.writeByte(ENCODE);
      write(encode.data(), WorkCodec::write, out);
      write(encode.parity(), WorkCodec::write, out);
    } else if (task instanceof DecodeTask decode) {
      // Who knows nothing of proofs must not make a block that it cannot prove.
      out.writeByte(decode.proof().isPresent() ? PROVEN_DECODE : DECODE);
      out.writeByte(decode.members());
      write(decode.sources(), WorkCodec::write, out);
      write(decode.wanted(), WorkCodec::write, out);
      if (decode.proof().isPresent()) {
        write(decode.proof().get(), out);
      }
    } else if (task instanceof MoveTask move) {
      out.writeByte(MOVE);
      write(move.from(), out);
      write(move.to(), out);
    } else if (task instanceof VerifyTask verify) {
      out.writeByte(VERIFY);
      write(verify.data(), WorkCodec::write, out);
      write(verify.parity(), out);
      write(verify.proof(), out);
    } else if (task instanceof SearchTask search) {
      out.writeByte(SEARCH);
      write(search.blocks(), WorkCodec::write, out);
    }
  }

  private static WorkOrder readOrder(DataInputStream in) throws IOException {
    long id = in.readLong();
    ErasureCode code = ErasureCode.named(in.readUTF());
    long bytesPerSec = in.readLong();
    int type = in.readUnsignedByte();
    Task task =
        switch (type) {
          case ENCODE -> {
            List<LocatedBlock> data = blocks(in, WorkCodec::readBlock);
            yield new EncodeTask(code, data, blocks(in, WorkCodec::readBlock), bytesPerSec);
          }
          case DECODE, PROVEN_DECODE -> {
            int members = in.readUnsignedByte();
            List<StripeUnit> sources = blocks(in, WorkCodec::readUnit);
            List<StripeUnit> wanted = blocks(in, WorkCodec::readUnit);
            Optional<StripeProof> proof =
                type == DECODE ? Optional.empty() : Optional.of(readProof(in));
            yield new DecodeTask(code, members, sources, wanted, proof, bytesPerSec);
          }
          case VERIFY -> {
            List<LocatedBlock> data = blocks(in, WorkCodec::readBlock);
            StripeUnit parity = readUnit(in);
            yield new VerifyTask(code, data, parity, readProof(in), bytesPerSec);
          }
          case MOVE -> {
            LocatedBlock from = readBlock(in);
            yield new MoveTask(code, from, readBlock(in), bytesPerSec);
          }
          case SEARCH -> new SearchTask(code, list(in, WorkCodec::readBlock));
          default -> throw new IOException("a work order of the unknown type " + type);
        };
    return new WorkOrder(id, task);
  }

  private static void write(StripeProof proof, DataOutputStream out) throws IOException {
    write(proof.lengths(), (length, to) -> to.writeLong(length), out);
    write(proof.checksums(), (sum, to) -> to.writeInt(sum), out);
  }

  private static StripeProof readProof(DataInputStream in) throws IOException {
    List<Long> lengths = blocks(in, DataInputStream::readLong);
    return new StripeProof(lengths, blocks(in, DataInputStream::readInt));
  }

  private static <T> void write(List<T> blocks, WritingOne<T> writing, DataOutputStream out)
      throws IOException {
    out.writeShort(blocks.size());
    for (T block : blocks) {
      writing.to(block, out);
    }
  }

  private static void write(LocatedBlock block, DataOutputStream out) throws IOException {
    byte[] message = PBHelperClient.convertLocatedBlock(lean(block)).toByteArray();
    out.writeShort(message.length);
    out.write(message);
  }

  private static void write(StripeUnit unit, DataOutputStream out) throws IOException {
    out.writeByte(unit.number());
    write(unit.block(), out);
  }

  /** Without what a DataNode's description holds beside its address. */
  private static LocatedBlock lean(LocatedBlock block) {
    DatanodeInfo[] nodes = block.getLocations();
    DatanodeInfo[] lean = new DatanodeInfo[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      lean[i] = new DatanodeInfoBuilder().setNodeID(nodes[i]).build();
    }
    LocatedBlock located =
        new LocatedBlock(block.getBlock(), lean, block.getStorageIDs(), block.getStorageTypes());
    located.setBlockToken(block.getBlockToken());
    return located;
  }

  private static LocatedBlock readBlock(DataInputStream in) throws IOException {
    byte[] message =
        new byte[requireWithin(in.readUnsignedShort(), BLOCK_BYTES_MAX, "bytes of a block")];
    in.readFully(message);
    return PBHelperClient.convertLocatedBlockProto(LocatedBlockProto.parseFrom(message));
  }

  private static StripeUnit readUnit(DataInputStream in) throws IOException {
    return new StripeUnit(in.readUnsignedByte(), readBlock(in));
  }

  private static <T> List<T> blocks(DataInputStream in, Reading<T> reading) throws IOException {
    return list(in, ErasureCode.BLOCKS_MAX, "blocks", reading);
  }

  private static WorkReport readReport(DataInputStream in) throws IOException {
    long id = in.readLong();
    WorkReport.State[] states = WorkReport.State.values();
    WorkReport.State state =
        states[requireWithin(in.readUnsignedByte(), states.length - 1, "as a state")];
    return new WorkReport(
        id, state, in.readLong(), in.readUTF(), blocks(in, DataInputStream::readLong));
  }

  private interface Writing {
    void to(DataOutputStream out) throws IOException;
  }

  private interface WritingOne<T> {
    void to(T one, DataOutputStream out) throws IOException;
  }

  private interface Reading<T> {
    T from(DataInputStream in) throws IOException;
  }

  private static byte[] bytes(Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      writing.to(out);
    } catch (IOException e) {
      throw new AssertionError("memory does not fail", e);
    }
    return bytes.toByteArray();
  }

  private static <T> T read(byte[] bytes, Reading<T> reading) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte version = in.readByte();
      if (version != VERSION) {
        throw new IOException("a work message of version " + version + ": known is " + VERSION);
      }
      return reading.from(in);
    } catch (RuntimeException e) {
      // HDFS's converters trust their input and fail in various ways.
      throw new IOException("an invalid work message: " + e.getMessage(), e);
    }
  }

  private static <T> List<T> list(DataInputStream in, Reading<T> reading) throws IOException {
    return list(in, ENTRIES_MAX, "entries", reading);
  }

  private static <T> List<T> list(DataInputStream in, int max, String what, Reading<T> reading)
      throws IOException {
    int count = requireWithin(in.readUnsignedShort(), max, what);
    List<T> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      entries.add(reading.from(in));
    }
    return entries;
  }

  private static int requireWithin(int value, int max, String what) throws IOException {
    if (value > max) {
      throw new IOException(value + " " + what + " in a work message: at most " + max);
    }
    return value;
  }
}
