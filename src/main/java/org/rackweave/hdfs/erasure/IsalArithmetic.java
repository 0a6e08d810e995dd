package org.rackweave.hdfs.erasure;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.rackweave.erasure.ByteMatrix;
import org.rackweave.erasure.JavaArithmetic;
import org.rackweave.erasure.ReedSolomonCode;
import org.rackweave.erasure.StripeArithmetic;

/**
 * Arithmetic by libisal (Intel ISA-L). Direct buffers are used in place; units on the heap, and
 * those that end early, go through a buffer in blocks that fit the processor's caches.
 *
 * <p>Memory outside of the heap: {@value #BLOCK_BYTES} bytes a unit for each thread that is coding
 * what cannot be used in place. Up to {@value #MAX_SCRATCHES} such buffers are kept.
 */
final class IsalArithmetic implements StripeArithmetic {
  private static final int BLOCK_BYTES = 1 << 14;
  private static final int MAX_SCRATCHES = 16;

  private final BlockingQueue<Scratch> scratches = new ArrayBlockingQueue<>(MAX_SCRATCHES);

  private IsalArithmetic() {}

  /**
   * Finds JNA and libisal, and has a stripe coded before they are trusted.
   *
   * @throws IsalMissingException saying what is missing
   */
  static IsalArithmetic load() throws IsalMissingException {
    try {
      IsalArithmetic isal = new IsalArithmetic();
      if (!isal.agreesWith(new JavaArithmetic())) {
        throw new IsalMissingException("libisal codes wrongly", null);
      }
      return isal;
    } catch (NoClassDefFoundError e) {
      throw new IsalMissingException("JNA is not on the class path", e);
    } catch (LinkageError | RuntimeException e) {
      throw new IsalMissingException("libisal cannot be used: " + firstLine(e), e);
    }
  }

  private static String firstLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private boolean agreesWith(StripeArithmetic other) {
    ByteMatrix matrix = new ReedSolomonCode(5, 3).parityRows();
    int lengthBytes = 3 * BLOCK_BYTES / 2 + 5;
    ByteBuffer[] inputs = new ByteBuffer[5];
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < inputs.length; i++) {
      byte[] bytes = new byte[lengthBytes - i];
      random.nextBytes(bytes);
      inputs[i] = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }
    ByteBuffer[] mine = new ByteBuffer[3];
    ByteBuffer[] others = new ByteBuffer[3];
    Arrays.setAll(mine, i -> ByteBuffer.allocateDirect(lengthBytes));
    Arrays.setAll(others, i -> ByteBuffer.allocate(lengthBytes));
    product(matrix).apply(inputs, mine, lengthBytes);
    other.product(matrix).apply(inputs, others, lengthBytes);
    return Arrays.equals(mine, others);
  }

  @Override
  public Product product(ByteMatrix matrix) {
    return new IsalProduct(matrix);
  }

  /** What one call needs beside its units, for one number of units. */
  private static final class Scratch {
    private final int units;
    private final ByteBuffer addresses;
    private ByteBuffer blocks;

    Scratch(int units) {
      this.units = units;
      addresses = ByteBuffer.allocateDirect(units * Long.BYTES).order(ByteOrder.nativeOrder());
    }

    void setAddress(int unit, long address) {
      addresses.putLong(unit * Long.BYTES, address);
    }

    /** A block for each unit. */
    ByteBuffer blocks() {
      if (blocks == null) {
        blocks = ByteBuffer.allocateDirect(units * BLOCK_BYTES);
      }
      return blocks;
    }
  }

  /** One matrix, made into tables. */
  private final class IsalProduct implements Product {
    private final ByteMatrix matrix;
    private final ByteBuffer tables;

    IsalProduct(ByteMatrix matrix) {
      this.matrix = matrix;
      int cells = matrix.rows() * matrix.columns();
      ByteBuffer bytes = ByteBuffer.allocateDirect(cells).put(matrix.toBytes()).flip();
      tables = ByteBuffer.allocateDirect(cells * IsalLibrary.TABLE_BYTES);
      IsalLibrary.ec_init_tables(
          matrix.columns(), matrix.rows(), IsalLibrary.address(bytes), IsalLibrary.address(tables));
      Reference.reachabilityFence(bytes);
    }

    @Override
    public void apply(ByteBuffer[] inputs, ByteBuffer[] outputs, int lengthBytes) {
      Product.check(matrix, inputs, outputs, lengthBytes);
      if (matrix.rows() == 0) {
        return;
      }
      int units = matrix.columns() + matrix.rows();
      Scratch scratch = scratches.poll();
      if (scratch == null || scratch.units < units) {
        scratch = new Scratch(units);
      }
      int from = 0;
      if (allDirect(inputs) && allDirect(outputs)) {
        from = shortest(inputs, lengthBytes);
        codeInPlace(inputs, outputs, from, scratch);
      }
      for (; from < lengthBytes; from += BLOCK_BYTES) {
        codeBlock(inputs, outputs, from, Math.min(BLOCK_BYTES, lengthBytes - from), scratch);
      }
      scratches.offer(scratch);
    }

    private void codeInPlace(
        ByteBuffer[] inputs, ByteBuffer[] outputs, int lengthBytes, Scratch scratch) {
      for (int i = 0; i < inputs.length; i++) {
        scratch.setAddress(i, IsalLibrary.address(inputs[i]));
      }
      for (int i = 0; i < outputs.length; i++) {
        scratch.setAddress(inputs.length + i, IsalLibrary.address(outputs[i]));
      }
      code(lengthBytes, scratch);
      Reference.reachabilityFence(inputs);
      Reference.reachabilityFence(outputs);
    }

    private void codeBlock(
        ByteBuffer[] inputs, ByteBuffer[] outputs, int from, int bytes, Scratch scratch) {
      ByteBuffer blocks = scratch.blocks();
      long address = IsalLibrary.address(blocks);
      for (int unit = 0; unit < inputs.length + outputs.length; unit++) {
        scratch.setAddress(unit, address + (long) unit * BLOCK_BYTES);
      }
      for (int i = 0; i < inputs.length; i++) {
        int present = Math.max(0, Math.min(bytes, inputs[i].remaining() - from));
        int start = i * BLOCK_BYTES;
        blocks.put(
            start,
            inputs[i],
            inputs[i].position() + Math.min(from, inputs[i].remaining()),
            present);
        for (int at = start + present; at < start + bytes; at++) {
          blocks.put(at, (byte) 0);
        }
      }
      code(bytes, scratch);
      for (int i = 0; i < outputs.length; i++) {
        int start = (inputs.length + i) * BLOCK_BYTES;
        outputs[i].put(outputs[i].position() + from, blocks, start, bytes);
      }
    }

    private void code(int lengthBytes, Scratch scratch) {
      if (lengthBytes > 0) {
        long addresses = IsalLibrary.address(scratch.addresses);
        IsalLibrary.ec_encode_data(
            lengthBytes,
            matrix.columns(),
            matrix.rows(),
            IsalLibrary.address(tables),
            addresses,
            addresses + (long) matrix.columns() * Long.BYTES);
      }
      Reference.reachabilityFence(scratch);
      Reference.reachabilityFence(this);
    }

    private static boolean allDirect(ByteBuffer[] units) {
      return Arrays.stream(units).allMatch(ByteBuffer::isDirect);
    }

    private static int shortest(ByteBuffer[] inputs, int lengthBytes) {
      return Arrays.stream(inputs).mapToInt(ByteBuffer::remaining).reduce(lengthBytes, Math::min);
    }
  }
}
