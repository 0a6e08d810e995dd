package org.rackweave.erasure;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Arithmetic that needs nothing but a JVM: units are copied into long arrays, a block that fits the
 * processor's caches at a time, and an {@link XorProgram} runs over them.
 *
 * <p>Memory: sets of arrays of at most 256 KB (more only where a code has hundreds of units), one
 * for each thread that is coding. Up to {@value #MAX_SCRATCHES} of them are kept for later calls.
 */
public final class JavaArithmetic implements StripeArithmetic {
  /**
   * Two less than a multiple of eight: with the 16 bytes of its header an array then fills whole
   * cache lines, arrays made one after the other lie alike, and loops that align one access to a
   * vector align them all. That is worth a fifth of the speed.
   */
  private static final int BLOCK_LONGS = 254;

  private static final int MIN_BLOCK_LONGS = 62;
  private static final int MAX_SCRATCHES = 16;

  /** What the registers of one program should take together. */
  private static final int SCRATCH_LONGS = 1 << 15;

  private final BlockingQueue<Scratch> scratches = new ArrayBlockingQueue<>(MAX_SCRATCHES);

  @Override
  public Product product(ByteMatrix matrix) {
    return new JavaProduct(matrix);
  }

  /** Registers for one call. */
  private static final class Scratch {
    private long[][] registers = new long[0][];

    /** As many registers as asked for; the first, if it is made here, is all zeros. */
    long[][] registers(int count, int longs) {
      if (registers.length < count || registers[0].length < longs) {
        registers = new long[count][longs];
      }
      return registers;
    }
  }

  /** One matrix, compiled. */
  private final class JavaProduct implements Product {
    private final ByteMatrix matrix;
    private final XorProgram program;
    private final int blockLongs;

    JavaProduct(ByteMatrix matrix) {
      this.matrix = matrix;
      program = XorProgram.of(matrix);
      int share = SCRATCH_LONGS / program.registers() / 8 * 8 - 2;
      blockLongs = Math.max(MIN_BLOCK_LONGS, Math.min(BLOCK_LONGS, share));
    }

    @Override
    public void apply(ByteBuffer[] inputs, ByteBuffer[] outputs, int lengthBytes) {
      Product.check(matrix, inputs, outputs, lengthBytes);
      UnitLongs[] read = UnitLongs.of(inputs);
      UnitLongs[] written = UnitLongs.of(outputs);
      Scratch scratch = scratches.poll();
      if (scratch == null) {
        scratch = new Scratch();
      }
      long[][] registers = scratch.registers(program.registers(), blockLongs);
      int blockBytes = blockLongs * Long.BYTES;
      for (int from = 0; from < lengthBytes; from += blockBytes) {
        code(read, written, from, Math.min(blockBytes, lengthBytes - from), registers);
      }
      scratches.offer(scratch);
    }

    private void code(
        UnitLongs[] read, UnitLongs[] written, int fromByte, int bytes, long[][] registers) {
      int longs = (bytes + Long.BYTES - 1) / Long.BYTES;
      for (int column = 0; column < read.length; column++) {
        read[column].load(fromByte, longs, registers[XorProgram.inputRegister(column)]);
      }
      program.run(registers, longs);
      for (int row = 0; row < written.length; row++) {
        written[row].store(registers[XorProgram.outputRegister(matrix, row)], fromByte, bytes);
      }
    }
  }
}
