package org.rackweave.hdfs.erasure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.io.erasurecode.ECChunk;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.rackweave.erasure.MatrixCoder;
import org.rackweave.erasure.ReedSolomonCode;
import org.rackweave.erasure.StripeArithmetic;

/** Ours beside Hadoop's Java coders: the same bytes, positions and refusals. */
class RawCodersAsHadoopTest {
  private static final int[][] SHAPES = {
    {1, 1}, {2, 1}, {3, 2}, {4, 2}, {6, 3}, {10, 4}, {5, 5}, {2, 9}, {12, 4}, {17, 3}, {20, 20}
  };

  /** Encoders and decoders of one code. */
  private record Pair(
      RawErasureEncoder encoder,
      RawErasureDecoder decoder,
      RawErasureEncoder hadoopEncoder,
      RawErasureDecoder hadoopDecoder) {

    static Pair of(StripeArithmetic arithmetic, int k, int m) {
      ErasureCoderOptions options = new ErasureCoderOptions(k, m);
      MatrixCoder coder = new MatrixCoder(new ReedSolomonCode(k, m), arithmetic);
      return new Pair(
          new RackweaveRawEncoder(options, coder, false),
          new RackweaveRawDecoder(options, coder, false),
          new RSRawEncoder(options),
          new RSRawDecoder(options));
    }
  }

  @ParameterizedTest
  @CsvSource({"JAVA, 21", "JAVA, 22", "ISAL, 23", "ISAL, 24"})
  void codesTheSameBytes(Arithmetics arithmetic, long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    StripeArithmetic installed = arithmetic.get();
    for (int[] shape : SHAPES) {
      Pair pair = Pair.of(installed, shape[0], shape[1]);
      for (int turn = 0; turn < 24; turn++) {
        int length = turn < 2 ? turn : random.nextInt(turn % 2 == 0 ? 100 : 40_000 / shape[0]);
        boolean direct = random.nextBoolean();
        String what =
            "%s seed %d: rs-%d-%d, %d bytes, direct %b"
                .formatted(arithmetic, seed, shape[0], shape[1], length, direct);
        codeBoth(pair, new Units(random, direct, length), what);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Arithmetics.class)
  void codesTheWidestStripes(Arithmetics arithmetic) throws IOException {
    SplittableRandom random = new SplittableRandom(25);
    for (int k : new int[] {1, 128, 200, 254}) {
      Pair pair = Pair.of(arithmetic.get(), k, 255 - k);
      codeBoth(pair, new Units(random, true, 50), arithmetic + " " + k);
      codeBoth(pair, new Units(random, false, 700), arithmetic + " " + k);
    }
  }

  private static void codeBoth(Pair pair, Units units, String what) throws IOException {
    int k = pair.encoder.getNumDataUnits();
    int m = pair.encoder.getNumParityUnits();
    ByteBuffer[] data = units.several(k);
    ByteBuffer[] parity = units.several(m);
    ByteBuffer[] stripe = Arrays.copyOf(Units.copies(data), k + m);
    ByteBuffer[] hadoopData = Units.copies(data);
    ByteBuffer[] hadoopParity = Units.copies(parity);
    pair.encoder.encode(data, parity);
    pair.hadoopEncoder.encode(hadoopData, hadoopParity);
    Units.assertSame(hadoopData, data, what + ", data");
    Units.assertSame(hadoopParity, parity, what + ", parity");
    System.arraycopy(parity, 0, stripe, k, m);
    for (int pattern = 0; pattern < 4; pattern++) {
      decodeBoth(pair, units, stripe, what);
    }
  }

  private static void decodeBoth(Pair pair, Units units, ByteBuffer[] stripe, String what)
      throws IOException {
    int m = pair.encoder.getNumParityUnits();
    int[] order = shuffled(stripe.length, units.random());
    int absent = units.random().nextInt(1, m + 1);
    int[] wanted = Arrays.copyOf(order, units.random().nextInt(1, absent + 1));
    ByteBuffer[] inputs = Units.copies(stripe);
    for (int i = 0; i < absent; i++) {
      inputs[order[i]] = null;
    }
    ByteBuffer[] outputs = units.several(wanted.length);
    ByteBuffer[] hadoopInputs = Units.copies(inputs);
    String lost = what + ", wanted " + Arrays.toString(wanted);
    pair.decoder.decode(inputs, wanted, outputs);
    for (int i = 0; i < wanted.length; i++) {
      assertEquals(stripe[wanted[i]], outputs[i], lost);
    }
    // Hadoop 3.4 decodes rightly in ascending order only (HADOOP-19180).
    Arrays.sort(wanted);
    ByteBuffer[] targets = units.several(wanted.length);
    ByteBuffer[] hadoopTargets = Units.copies(targets);
    rewind(inputs, hadoopInputs);
    pair.decoder.decode(inputs, wanted, targets);
    pair.hadoopDecoder.decode(hadoopInputs, wanted, hadoopTargets);
    Units.assertSame(hadoopInputs, inputs, lost + ", inputs");
    Units.assertSame(hadoopTargets, targets, lost + ", outputs");
  }

  private static void rewind(ByteBuffer[] units, ByteBuffer[] unread) {
    for (int i = 0; i < units.length; i++) {
      if (units[i] != null) {
        units[i].position(unread[i].position());
      }
    }
  }

  private static int[] shuffled(int count, SplittableRandom random) {
    int[] order = IntStream.range(0, count).toArray();
    for (int i = count - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int kept = order[i];
      order[i] = order[other];
      order[other] = kept;
    }
    return order;
  }

  @ParameterizedTest
  @EnumSource(Arithmetics.class)
  void codesArraysAndChunks(Arithmetics arithmetic) throws IOException {
    Pair pair = Pair.of(arithmetic.get(), 6, 3);
    SplittableRandom random = new SplittableRandom(26);
    byte[][] data = new byte[6][1001];
    for (byte[] unit : data) {
      random.nextBytes(unit);
    }
    byte[][] parity = new byte[3][1001];
    byte[][] hadoopParity = new byte[3][1001];
    pair.encoder.encode(data, parity);
    pair.hadoopEncoder.encode(data, hadoopParity);
    assertArrayEquals(hadoopParity, parity);

    byte[][] left = {null, data[1], data[2], data[3], null, data[5], parity[0], null, parity[2]};
    byte[][] outputs = new byte[3][1001];
    pair.decoder.decode(left, new int[] {7, 0, 4}, outputs);
    assertArrayEquals(new byte[][] {parity[1], data[0], data[4]}, outputs);

    ECChunk[] chunks = new ECChunk[9];
    for (int i = 0; i < 9; i++) {
      chunks[i] = left[i] == null ? null : new ECChunk(left[i]);
    }
    byte[] first = new byte[1001];
    pair.decoder.decode(chunks, new int[] {0}, new ECChunk[] {new ECChunk(first)});
    assertArrayEquals(data[0], first);
  }

  @ParameterizedTest
  @EnumSource(Arithmetics.class)
  void takesChunksOfZerosAsHadoopDoes(Arithmetics arithmetic) throws IOException {
    Pair pair = Pair.of(arithmetic.get(), 2, 2);
    byte[][] parity = new byte[2][64];
    byte[][] hadoopParity = new byte[2][64];
    pair.encoder.encode(chunksWithZeros(), chunks(parity));
    pair.hadoopEncoder.encode(chunksWithZeros(), chunks(hadoopParity));
    assertArrayEquals(hadoopParity, parity);
  }

  private static ECChunk[] chunksWithZeros() {
    byte[][] data = new byte[2][64];
    Arrays.fill(data[0], (byte) 7);
    Arrays.fill(data[1], (byte) 9);
    ECChunk[] chunks = chunks(data);
    chunks[1].setAllZero(true);
    return chunks;
  }

  private static ECChunk[] chunks(byte[][] units) {
    return Arrays.stream(units).map(ECChunk::new).toArray(ECChunk[]::new);
  }

  /** Ways to call an encoder wrongly. */
  private enum Misuse {
    UNIT_MISSING(heap(8), heap(4, 4)),
    PARITY_MISSING(heap(4, 4), heap()),
    NULL_INPUT(new ByteBuffer[] {null, ByteBuffer.allocate(4)}, heap(4)),
    NULL_OUTPUT(heap(4, 4), new ByteBuffer[] {null}),
    ONLY_NULLS(new ByteBuffer[2], heap(4)),
    UNEQUAL_INPUTS(heap(4, 5), heap(4)),
    LONGER_OUTPUT(heap(4, 4), heap(5)),
    SHORTER_OUTPUT(heap(4, 4), heap(3)),
    MIXED_INPUTS(new ByteBuffer[] {heap(4)[0], ByteBuffer.allocateDirect(4)}, heap(4)),
    MIXED_OUTPUT(heap(4, 4), new ByteBuffer[] {ByteBuffer.allocateDirect(4)});

    final ByteBuffer[] inputs;
    final ByteBuffer[] outputs;

    Misuse(ByteBuffer[] inputs, ByteBuffer[] outputs) {
      this.inputs = inputs;
      this.outputs = outputs;
    }

    private static ByteBuffer[] heap(int... lengths) {
      return Arrays.stream(lengths).mapToObj(ByteBuffer::allocate).toArray(ByteBuffer[]::new);
    }
  }

  @ParameterizedTest
  @EnumSource(Misuse.class)
  void refusesWhatHadoopRefuses(Misuse misuse) {
    Pair pair = Pair.of(Arithmetics.JAVA.get(), 2, 1);
    for (RawErasureEncoder encoder : new RawErasureEncoder[] {pair.encoder, pair.hadoopEncoder}) {
      assertThrows(
          HadoopIllegalArgumentException.class,
          () -> encoder.encode(misuse.inputs, misuse.outputs),
          () -> encoder.getClass().getName());
    }
  }

  @ParameterizedTest
  @CsvSource({"2, 1", "1, 3", "0, 3"})
  void refusesToDecodeWhatIsTooMuchForTheCode(int present, int outputs) {
    Pair pair = Pair.of(Arithmetics.JAVA.get(), 3, 2);
    ByteBuffer[] inputs = new ByteBuffer[5];
    for (int i = 0; i < present; i++) {
      inputs[i] = ByteBuffer.allocate(4);
    }
    int[] erased = IntStream.range(5 - outputs, 5).toArray();
    ByteBuffer[] targets = new ByteBuffer[outputs];
    Arrays.setAll(targets, i -> ByteBuffer.allocate(4));
    for (RawErasureDecoder decoder : new RawErasureDecoder[] {pair.decoder, pair.hadoopDecoder}) {
      assertThrows(
          HadoopIllegalArgumentException.class,
          () -> decoder.decode(inputs, erased, targets),
          () -> decoder.getClass().getName());
    }
  }
}
