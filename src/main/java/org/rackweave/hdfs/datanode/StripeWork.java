package org.rackweave.hdfs.datanode;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.DataChecksum;
import org.rackweave.ear.ErasureCode;
import org.rackweave.erasure.BlockCoding;
import org.rackweave.hdfs.work.DecodeTask;
import org.rackweave.hdfs.work.EncodeTask;
import org.rackweave.hdfs.work.MoveTask;
import org.rackweave.hdfs.work.ParityTrailer;
import org.rackweave.hdfs.work.StripeProof;
import org.rackweave.hdfs.work.StripeUnit;
import org.rackweave.hdfs.work.Task;
import org.rackweave.hdfs.work.VerifyTask;
import org.rackweave.hdfs.work.WorkResult;

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
   * @throws IOException naming the block when it cannot be read or written, is not what was
   *     encoded, or when a DataNode has stored something else than was sent
   */
  WorkResult run(Task task, BlockCoding coding, LongConsumer progress) throws IOException {
    List<byte[]> digests = new ArrayList<>();
    List<Integer> checksums = List.of();
    try {
      if (task instanceof EncodeTask encode) {
        checksums = encode(encode, coding, progress);
      } else if (task instanceof DecodeTask decode) {
        decode(decode, coding, progress);
      } else if (task instanceof VerifyTask verify) {
        verify(verify, throttled(task, progress));
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
    return new WorkResult(readers.stream().map(ReplicaReader::receivedBytes).toList(), checksums);
  }

  private List<Integer> encode(EncodeTask task, BlockCoding coding, LongConsumer progress)
      throws IOException {
    BlockCoding.Source[] data = new BlockCoding.Source[task.data().size()];
    List<RunningChecksum> sums = new ArrayList<>();
    for (int i = 0; i < data.length; i++) {
      data[i] = summed(source(task.data().get(i), 0, Long.MAX_VALUE), sums);
    }
    List<WritableByteChannel> parity = new ArrayList<>();
    for (LocatedBlock block : task.parity()) {
      parity.add(summed(write(block, ParityTrailer.usualFormat()), sums));
    }
    coding.encode(
        data, parity.toArray(NO_CHANNELS), ThreadLocalRandom.current(), throttled(task, progress));
    ParityTrailer trailer =
        new ParityTrailer(task.data().stream().map(LocatedBlock::getBlockSize).toList());
    if (task.parity().get(0).getBlockSize() == trailer.parityBytes()) {
      return List.of(); // a NameNode that knows nothing of proofs
    }
    ByteBuffer bytes = trailer(trailer, sums.subList(0, data.length));
    for (ReplicaWriter writer : writers) {
      writer.write(bytes.duplicate());
    }
    return sums.stream().map(RunningChecksum::ofAll).toList();
  }

  /** Of the data blocks that have been read, which are all. */
  private ByteBuffer trailer(ParityTrailer trailer, List<RunningChecksum> data) {
    return trailer.toBytes(
        readers.stream()
            .limit(data.size())
            .map(reader -> ParityTrailer.format(reader.checksum()))
            .toList(),
        data.stream().map(RunningChecksum::ofChunks).toList());
  }

  private static BlockCoding.Source summed(BlockCoding.Source source, List<RunningChecksum> sums) {
    RunningChecksum sum = new RunningChecksum();
    sums.add(sum);
    return new BlockCoding.Source(sum.of(source.channel()), source.lengthBytes());
  }

  private static WritableByteChannel summed(
      WritableByteChannel output, List<RunningChecksum> sums) {
    RunningChecksum sum = new RunningChecksum();
    sums.add(sum);
    return sum.of(output);
  }

  private void decode(DecodeTask task, BlockCoding coding, LongConsumer progress)
      throws IOException {
    int[] wanted = task.wanted().stream().mapToInt(StripeUnit::number).toArray();
    if (task.proof().isPresent()) {
      decodeProven(task, task.proof().get(), wanted, coding, throttled(task, progress));
      return;
    }
    BlockCoding.Source[] known = known(task, 0, Long.MAX_VALUE);
    long[] lengths = new long[wanted.length];
    for (int i = 0; i < wanted.length; i++) {
      LocatedBlock block = task.wanted().get(i).block();
      lengths[i] = block.getBlockSize();
      write(block, ParityTrailer.usualFormat());
    }
    coding.decode(known, wanted, lengths, writers.toArray(NO_CHANNELS), throttled(task, progress));
  }

  /** Nothing is finished that is not what was encoded. */
  private void decodeProven(
      DecodeTask task, StripeProof proof, int[] wanted, BlockCoding coding, LongConsumer progress)
      throws IOException {
    Optional<ByteBuffer> kept = trailerOf(task, proof);
    BlockCoding.Source[] known = known(task, 0, proof.trailer().parityBytes());
    List<RunningChecksum> read = new ArrayList<>();
    for (StripeUnit unit : task.sources()) {
      known[unit.number()] = summed(known[unit.number()], read);
    }
    List<DataChecksum> formats = kept.flatMap(proof.trailer()::formats).orElse(List.of());
    List<RunningChecksum> made = new ArrayList<>();
    List<WritableByteChannel> outputs = new ArrayList<>();
    for (StripeUnit unit : task.wanted()) {
      DataChecksum format =
          unit.number() < formats.size() ? formats.get(unit.number()) : ParityTrailer.usualFormat();
      outputs.add(summed(write(unit.block(), format), made));
    }
    coding.decode(
        known,
        wanted,
        IntStream.of(wanted).mapToLong(proof::lengthOf).toArray(),
        outputs.toArray(NO_CHANNELS),
        progress);
    for (int i = 0; i < read.size(); i++) {
      requireSource(task.sources().get(i), read.get(i), readers.get(i), task, proof);
    }
    for (int i = 0; i < wanted.length; i++) {
      if (made.get(i).ofAll() != proof.checksumOf(wanted[i], task.code())) {
        throw new DisprovedException(
            "what was made of " + task.wanted().get(i).block().getBlock() + " is not what it was");
      }
      if (wanted[i] >= task.code().dataBlocks()) {
        // Without parity among what was read, that is all data.
        writers.get(i).write(kept.orElseGet(() -> trailer(proof.trailer(), read)).duplicate());
      }
    }
  }

  private static void requireSource(
      StripeUnit unit,
      RunningChecksum sum,
      ReplicaReader reader,
      DecodeTask task,
      StripeProof proof)
      throws IOException {
    boolean isWhole = sum.bytes() == proof.lengthOf(unit.number());
    if (isWhole && sum.ofAll() != proof.checksumOf(unit.number(), task.code())) {
      reader.reportCorrupt();
      throw disproved(reader.located());
    }
  }

  private static DisprovedException disproved(LocatedBlock located) {
    return new DisprovedException(
        located.getBlock() + " on " + located.getLocations()[0] + " is not what was encoded");
  }

  /**
   * The trailer of parity that is to be read.
   *
   * @return empty when none is
   * @throws IOException when one is not what was encoded, of which HDFS knows then
   */
  private Optional<ByteBuffer> trailerOf(DecodeTask task, StripeProof proof) throws IOException {
    for (StripeUnit unit : task.sources()) {
      if (unit.number() >= task.code().dataBlocks()) {
        ParityTrailer trailer = proof.trailer();
        ReplicaReader reader = open(unit.block(), trailer.parityBytes(), trailer.bytes());
        ByteBuffer bytes = readFully(reader, trailer.bytes());
        if (!trailer.isProven(bytes, proof)) {
          reader.reportCorrupt();
          throw disproved(reader.located());
        }
        return Optional.of(bytes);
      }
    }
    return Optional.empty();
  }

  private static ByteBuffer readFully(ReplicaReader reader, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    try (reader) {
      while (bytes.hasRemaining()) {
        if (reader.read(bytes) < 0) {
          throw new EOFException(reader.located().getBlock() + " ends too early");
        }
      }
    }
    return bytes.flip();
  }

  /**
   * Reads parity back as it was made, with its trailer. Of every so many data blocks, so that each
   * is asked for once for all parity, what HDFS knows of a replica has to be what was encoded.
   */
  private void verify(VerifyTask task, LongConsumer progress) throws IOException {
    StripeProof proof = task.proof();
    ParityTrailer trailer = proof.trailer();
    LocatedBlock parity = task.parity().block();
    requireProven(parity, task.parity().number(), task, 0, progress);
    ByteBuffer kept =
        readFully(open(parity, trailer.parityBytes(), trailer.bytes()), trailer.bytes());
    if (!trailer.isProven(kept, proof)) {
      throw disproved(parity);
    }
    List<DataChecksum> formats = trailer.formats(kept).orElseThrow();
    long done = trailer.parityBytes();
    int turn = task.parity().number() - task.code().dataBlocks();
    for (int i = turn; i < task.data().size(); i += task.code().parityBlocks()) {
      LocatedBlock block = task.data().get(i);
      if (formats.get(i).getChecksumType() != DataChecksum.Type.CRC32C) {
        requireProven(block, i, task, done, progress);
        done += proof.lengthOf(i);
      } else if (transfers.storedChecksum(block) != proof.checksumOf(i, task.code())) {
        throw disproved(block);
      }
    }
  }

  /**
   * Reads a whole block.
   *
   * @param done bytes that were read before it
   */
  private void requireProven(
      LocatedBlock block, int unit, VerifyTask task, long done, LongConsumer progress)
      throws IOException {
    long length = task.proof().lengthOf(unit);
    RunningChecksum sum = new RunningChecksum();
    ReadableByteChannel bytes = sum.of(reader(block, 0, length));
    ByteBuffer buffer = ByteBuffer.allocate(ParityTrailer.CHUNK_BYTES);
    while (sum.bytes() < length) {
      long left = length - sum.bytes();
      if (bytes.read(buffer.clear().limit((int) Math.min(left, buffer.capacity()))) < 0) {
        throw new EOFException(block.getBlock() + " ends too early");
      }
      progress.accept(done + sum.bytes());
    }
    if (sum.ofAll() != task.proof().checksumOf(unit, task.code())) {
      throw disproved(block);
    }
  }

  /**
   * Makes a range of the one block that a task wants, and writes nothing to DataNodes. Where there
   * is a proof, whole chunks are made and nothing is put out that is not what was encoded.
   *
   * @param offset first byte
   * @param length bytes, cut off where the block ends
   * @param output takes them
   * @return up to which byte it has put out, at least {@code offset}: when that is not the end,
   *     what was read is not what was encoded
   * @throws SourceFailedException when a DataNode does not let it begin to read a block; then
   *     nothing has been put out
   */
  long decodeRange(
      DecodeTask task,
      long offset,
      long length,
      BlockCoding coding,
      WritableByteChannel output,
      LongConsumer progress)
      throws IOException {
    StripeUnit wanted = task.wanted().get(0);
    long end = Math.min(offset + length, wanted.block().getBlockSize());
    if (end <= offset) {
      return end;
    }
    ProvenRange range = null;
    try {
      if (task.proof().isPresent()) {
        ByteBuffer row = row(task, wanted.number(), task.proof().get());
        range = new ProvenRange(row, wanted.block().getBlockSize(), offset, end, output);
      }
      long from = range == null ? offset : range.from();
      long bytes = (range == null ? end : range.to()) - from;
      coding.decode(
          known(task, from, bytes),
          new int[] {wanted.number()},
          new long[] {bytes},
          new WritableByteChannel[] {range == null ? output : range},
          progress);
      return end;
    } catch (DisprovedException e) {
      return range == null ? offset : range.passedTo();
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

  /**
   * Checksums of all chunks of a data block, as parity that is to be read keeps them.
   *
   * @throws DisprovedException when none of that keeps what was encoded
   */
  private ByteBuffer row(DecodeTask task, int member, StripeProof proof) throws IOException {
    ParityTrailer trailer = proof.trailer();
    for (StripeUnit unit : task.sources()) {
      if (unit.number() >= task.code().dataBlocks()) {
        long at = trailer.parityBytes() + trailer.rowAt(member);
        int bytes = trailer.rowBytes(member);
        ByteBuffer row = readFully(open(unit.block(), at, bytes), bytes);
        if (trailer.isRowProven(row, member, proof)) {
          return row;
        }
      }
    }
    throw new DisprovedException("no parity keeps the checksums of data block " + member);
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
    return bytes <= 0 ? ZEROS : new BlockCoding.Source(reader(block, offset, bytes), bytes);
  }

  private ReplicaReader reader(LocatedBlock block, long offset, long length) throws IOException {
    ReplicaReader reader = open(block, offset, length);
    open.add(reader);
    readers.add(reader);
    return reader;
  }

  private ReplicaReader open(LocatedBlock block, long offset, long length) throws IOException {
    try {
      return transfers.read(block, offset, length);
    } catch (IOException e) {
      throw new SourceFailedException(block, e);
    }
  }

  private ReplicaWriter write(LocatedBlock block, DataChecksum checksum) throws IOException {
    ReplicaWriter writer = transfers.write(block, checksum);
    open.add(writer);
    writers.add(writer);
    written.add(block);
    return writer;
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
