package org.rackweave.hdfs.datanode;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongConsumer;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.IOUtils;
import org.rackweave.ear.ErasureCode;
import org.rackweave.erasure.BlockCoding;
import org.rackweave.hdfs.work.DecodeTask;
import org.rackweave.hdfs.work.EncodeTask;
import org.rackweave.hdfs.work.MoveTask;
import org.rackweave.hdfs.work.StripeUnit;
import org.rackweave.hdfs.work.Task;

/**
 * Does one task: reads blocks of a stripe from replicas, makes others, writes them to DataNodes,
 * and asks these what they have stored. Nothing that exists is changed; what a task that broke off
 * has written is no replica yet, or of a file that is deleted. Used once.
 */
final class StripeWork {
  private static final int COPY_BYTES = 64 << 10;
  private static final WritableByteChannel[] NO_CHANNELS = {};
  private static final BlockCoding.Source ZEROS = new BlockCoding.Source(null, 0);

  private final ReplicaTransfers transfers;
  private final List<Closeable> open = new ArrayList<>();
  private final List<ReplicaReader> readers = new ArrayList<>();
  private final List<LocatedBlock> written = new ArrayList<>();
  private final List<ReplicaWriter> writers = new ArrayList<>();
  private final Throttle.Clock clock;

  StripeWork(TransferOrigin origin) {
    this(origin, Throttle.Clock.SYSTEM);
  }

  /**
   * @param clock by which a task keeps to its limit
   */
  StripeWork(TransferOrigin origin, Throttle.Clock clock) {
    transfers = new ReplicaTransfers(origin);
    this.clock = clock;
  }

  /**
   * @param coding of the task's code
   * @param progress told the bytes of each block done so far
   * @return bytes received of each block that was read, in the task's order
   * @throws IOException naming the block when it cannot be read or written, or when a DataNode has
   *     stored something else than was sent
   */
  List<Long> run(Task task, BlockCoding coding, LongConsumer progress) throws IOException {
    List<byte[]> digests = new ArrayList<>();
    try {
      if (task instanceof EncodeTask encode) {
        encode(encode, coding, progress);
      } else if (task instanceof DecodeTask decode) {
        decode(decode, coding, progress);
      } else if (task instanceof MoveTask move) {
        transfers.move(move.from().getLocations()[0], move.to());
        progress.accept(move.to().getBlockSize());
      }
      for (ReplicaWriter writer : writers) {
        digests.add(writer.finish());
      }
    } finally {
      open.forEach(IOUtils::closeStream);
    }
    for (int i = 0; i < digests.size(); i++) {
      verify(written.get(i), digests.get(i));
    }
    return readers.stream().map(ReplicaReader::receivedBytes).toList();
  }

  private void encode(EncodeTask task, BlockCoding coding, LongConsumer progress)
      throws IOException {
    BlockCoding.Source[] data = new BlockCoding.Source[task.data().size()];
    for (int i = 0; i < data.length; i++) {
      data[i] = source(task.data().get(i), 0, Long.MAX_VALUE);
    }
    for (LocatedBlock block : task.parity()) {
      write(block);
    }
    coding.encode(
        data, writers.toArray(NO_CHANNELS), ThreadLocalRandom.current(), throttled(task, progress));
  }

  private void decode(DecodeTask task, BlockCoding coding, LongConsumer progress)
      throws IOException {
    BlockCoding.Source[] known = known(task, 0, Long.MAX_VALUE);
    int[] wanted = new int[task.wanted().size()];
    long[] lengths = new long[wanted.length];
    for (int i = 0; i < wanted.length; i++) {
      StripeUnit unit = task.wanted().get(i);
      wanted[i] = unit.number();
      lengths[i] = unit.block().getBlockSize();
      write(unit.block());
    }
    coding.decode(known, wanted, lengths, writers.toArray(NO_CHANNELS), throttled(task, progress));
  }

  /**
   * Makes a range of the one block that a task wants, and writes nothing to DataNodes.
   *
   * @param offset first byte
   * @param length bytes, cut off where the block ends
   * @param output takes them
   * @throws SourceFailedException when a DataNode does not let it begin to read a block; then
   *     nothing has been put out
   */
  void decodeRange(
      DecodeTask task,
      long offset,
      long length,
      BlockCoding coding,
      WritableByteChannel output,
      LongConsumer progress)
      throws IOException {
    StripeUnit wanted = task.wanted().get(0);
    long bytes = Math.min(length, wanted.block().getBlockSize() - offset);
    try {
      coding.decode(
          known(task, offset, bytes),
          new int[] {wanted.number()},
          new long[] {Math.max(0, bytes)},
          new WritableByteChannel[] {output},
          progress);
    } finally {
      open.forEach(IOUtils::closeStream);
    }
  }

  /**
   * Puts out a range of a replica.
   *
   * @param from the block with the DataNode that has it
   * @param length bytes, cut off where the block ends
   * @param progress told the bytes done so far
   * @throws SourceFailedException when that DataNode does not let it read on; what came before has
   *     been put out
   */
  void copyRange(
      LocatedBlock from,
      long offset,
      long length,
      WritableByteChannel output,
      LongConsumer progress)
      throws IOException {
    long bytes = Math.min(length, from.getBlockSize() - offset);
    if (bytes <= 0) {
      return;
    }
    try (ReplicaReader reader = open(from, offset, bytes)) {
      ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
      for (long done = 0; done < bytes; progress.accept(done)) {
        buffer.clear().limit((int) Math.min(COPY_BYTES, bytes - done));
        done += readSome(from, reader, buffer);
        output.write(buffer.flip());
      }
    }
  }

  private static int readSome(LocatedBlock from, ReplicaReader reader, ByteBuffer into)
      throws SourceFailedException {
    try {
      int read = reader.read(into);
      if (read > 0) {
        return read;
      }
      throw new EOFException("it ends before");
    } catch (IOException e) {
      throw new SourceFailedException(from, e);
    }
  }

  /** The blocks to read, and the zeros of a short stripe, of each the same range. */
  private BlockCoding.Source[] known(DecodeTask task, long offset, long length) throws IOException {
    ErasureCode code = task.code();
    BlockCoding.Source[] known = new BlockCoding.Source[code.blocks()];
    for (int zero = task.members(); zero < code.dataBlocks(); zero++) {
      known[zero] = ZEROS;
    }
    for (StripeUnit unit : task.sources()) {
      known[unit.number()] = source(unit.block(), offset, length);
    }
    return known;
  }

  private BlockCoding.Source source(LocatedBlock block, long offset, long length)
      throws IOException {
    long bytes = Math.min(length, block.getBlockSize() - offset);
    if (bytes <= 0) {
      return ZEROS;
    }
    ReplicaReader reader = open(block, offset, bytes);
    open.add(reader);
    readers.add(reader);
    return new BlockCoding.Source(reader, bytes);
  }

  private ReplicaReader open(LocatedBlock block, long offset, long length) throws IOException {
    try {
      return transfers.read(block, offset, length);
    } catch (IOException e) {
      throw new SourceFailedException(block, e);
    }
  }

  private void write(LocatedBlock block) throws IOException {
    ReplicaWriter writer = transfers.write(block);
    open.add(writer);
    writers.add(writer);
    written.add(block);
  }

  /** All blocks are read at the same pace. */
  private LongConsumer throttled(Task task, LongConsumer progress) {
    if (task.bytesPerSec() == 0) {
      return progress;
    }
    Throttle throttle = new Throttle(task.bytesPerSec(), clock);
    long[] before = {0};
    return done -> {
      // While it waits it is told again of what was done, or it would seem to be stuck.
      throttle.pass((done - before[0]) * task.blocksRead(), () -> progress.accept(before[0]));
      before[0] = done;
      progress.accept(done);
    };
  }

  private void verify(LocatedBlock block, byte[] digest) throws IOException {
    if (!Arrays.equals(transfers.storedDigest(block), digest)) {
      throw new IOException(
          block.getLocations()[0] + " has stored another " + block.getBlock() + " than was sent");
    }
  }
}
