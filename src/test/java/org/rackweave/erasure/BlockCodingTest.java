package org.rackweave.erasure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rackweave.erasure.BlockCoding.Source;

/** Blocks of different lengths through a coder and back. */
class BlockCodingTest {
  private static final ReedSolomonCode CODE = new ReedSolomonCode(4, 2);
  private static final int CHUNK = 100;

  private final StripeCoder coder = new MatrixCoder(CODE, new JavaArithmetic());
  private final BlockCoding coding = new BlockCoding(coder, CHUNK);
  private final Random random = new Random(11);

  private static Source source(byte[] block) {
    return new Source(Channels.newChannel(new ByteArrayInputStream(block)), block.length);
  }

  private static Source[] sources(byte[][] blocks) {
    return Arrays.stream(blocks).map(BlockCodingTest::source).toArray(Source[]::new);
  }

  private byte[][] blocks(int... lengths) {
    byte[][] blocks = new byte[lengths.length][];
    for (int i = 0; i < lengths.length; i++) {
      blocks[i] = new byte[lengths[i]];
      random.nextBytes(blocks[i]);
    }
    return blocks;
  }

  private byte[][] parityOf(byte[][] data) throws IOException {
    List<ByteArrayOutputStream> parity = outputs(CODE.parityUnits());
    coding.encode(sources(data), channels(parity), random, bytes -> {});
    return bytes(parity);
  }

  private static List<ByteArrayOutputStream> outputs(int count) {
    List<ByteArrayOutputStream> outputs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      outputs.add(new ByteArrayOutputStream());
    }
    return outputs;
  }

  private static WritableByteChannel[] channels(List<ByteArrayOutputStream> outputs) {
    return outputs.stream().map(Channels::newChannel).toArray(WritableByteChannel[]::new);
  }

  private static byte[][] bytes(List<ByteArrayOutputStream> outputs) {
    return outputs.stream().map(ByteArrayOutputStream::toByteArray).toArray(byte[][]::new);
  }

  /** All at once, padded with zeros: the clear version. */
  private byte[][] padded(byte[][] data, int length) throws IOException {
    ByteBuffer[] in = new ByteBuffer[CODE.dataUnits()];
    Arrays.setAll(
        in, i -> ByteBuffer.wrap(Arrays.copyOf(i < data.length ? data[i] : new byte[0], length)));
    ByteBuffer[] out = {ByteBuffer.allocate(length), ByteBuffer.allocate(length)};
    coder.encode(in, out, length);
    return new byte[][] {out[0].array(), out[1].array()};
  }

  @Test
  void parityIsThatOfBlocksPaddedWithZeros() throws IOException {
    for (byte[][] data :
        List.of(
            blocks(250, 250, 250, 250),
            blocks(250, 100, 1, 99),
            blocks(1, 300, 7, 300),
            blocks(250, 17),
            blocks(CHUNK))) {
      int longest = Arrays.stream(data).mapToInt(block -> block.length).max().orElseThrow();
      assertArrayEquals(padded(data, longest), parityOf(data));
    }
  }

  @Test
  void anyBlocksThatCanBeLostComeBackAtTheirLengths() throws IOException {
    byte[][] data = blocks(250, 100, 301, 99);
    byte[][] all = Arrays.copyOf(data, CODE.allUnits());
    System.arraycopy(parityOf(data), 0, all, data.length, CODE.parityUnits());
    for (int one = 0; one < all.length; one++) {
      for (int other = one + 1; other < all.length; other++) {
        int[] lost = {one, other};
        Source[] known = sources(all);
        known[one] = null;
        known[other] = null;
        List<ByteArrayOutputStream> back = outputs(2);
        long[] lengths = {all[one].length, all[other].length};
        coding.decode(known, lost, lengths, channels(back), bytes -> {});
        assertArrayEquals(new byte[][] {all[one], all[other]}, bytes(back));
      }
    }
  }

  @Test
  void aStripeWithFewerBlocksComesBack() throws IOException {
    byte[][] data = blocks(250, 180);
    byte[][] parity = parityOf(data);
    byte[] never = {};
    Source[] known = {
      null, null, source(never), source(never), source(parity[0]), source(parity[1])
    };
    List<ByteArrayOutputStream> back = outputs(2);
    coding.decode(known, new int[] {0, 1}, new long[] {250, 180}, channels(back), bytes -> {});
    assertArrayEquals(data, bytes(back));
  }

  @Test
  void tellsHowFarItIs() throws IOException {
    List<Long> told = new ArrayList<>();
    coding.encode(sources(blocks(250, 40)), channels(outputs(2)), random, told::add);
    assertEquals(List.of(100L, 200L, 250L), told);
  }

  @Test
  void aBlockThatEndsEarlyIsNamed() {
    Source[] data = sources(blocks(250, 250, 250, 250));
    data[2] = new Source(data[2].channel(), 260);
    EOFException ended =
        assertThrows(
            EOFException.class,
            () -> coding.encode(data, channels(outputs(2)), random, bytes -> {}));
    assertEquals("block 2 of 260 bytes ended after 250", ended.getMessage());
  }

  @Test
  void withFewerThanKNothingIsMade() {
    Source[] known = {source(new byte[1]), null, null, null, source(new byte[1]), null};
    assertThrows(
        IllegalArgumentException.class,
        () ->
            coding.decode(known, new int[] {1}, new long[] {1}, channels(outputs(1)), bytes -> {}));
  }

  /** One bit of one parity unit is wrong, as with bad memory. */
  @Test
  void parityThatDoesNotFitIsNotHandedOn() {
    StripeCoder faulty =
        new StripeCoder() {
          @Override
          public ReedSolomonCode code() {
            return CODE;
          }

          @Override
          public void encode(ByteBuffer[] data, ByteBuffer[] parity, int lengthBytes)
              throws IOException {
            coder.encode(data, parity, lengthBytes);
            int at = parity[1].position() + lengthBytes / 2;
            parity[1].put(at, (byte) (parity[1].get(at) ^ 4));
          }

          @Override
          public void decode(
              ByteBuffer[] units, int[] wanted, ByteBuffer[] outputs, int lengthBytes)
              throws IOException {
            coder.decode(units, wanted, outputs, lengthBytes);
          }
        };
    List<ByteArrayOutputStream> parity = outputs(2);
    BlockCoding.MiscodedException found =
        assertThrows(
            BlockCoding.MiscodedException.class,
            () ->
                new BlockCoding(faulty, CHUNK)
                    .encode(
                        sources(blocks(50, 50, 50, 50)), channels(parity), random, bytes -> {}));
    assertEquals(0, parity.get(0).size(), found::getMessage);
  }
}
