package org.rackweave.erasure;

import java.util.Arrays;

/**
 * A matrix compiled to sums and doublings of registers. Registers are numbered: the zero register,
 * the matrix's columns (inputs), its rows (outputs), then temporary ones.
 *
 * <p><b>Goals.</b> Few passes over memory, each a loop that a JVM can vectorise; no tables.
 *
 * <p><b>Algorithm.</b> A row is a polynomial in x with sums of inputs as coefficients: the bit b of
 * cell j says whether input j is in the coefficient of x^b. It is evaluated by Horner's rule: begin
 * with the highest coefficient, then double and add the next, seven times. Example, a row with the
 * cells 3 and 2: out = in0 + in1; out = 2 out + in0.
 *
 * <p>Coefficients of all rows and bits are subsets of the same inputs. Inputs are cut into groups,
 * and the sum of a subset of a group is made once, in a temporary register, when first asked for
 * ("method of the four Russians"). Wide groups mean fewer additions and more sums to prepare; every
 * width up to {@value #MAX_GROUP} is tried and the cheapest program kept.
 */
final class XorProgram {
  private static final int MAX_GROUP = 5;

  /** Most registers one loop adds. */
  private static final int MAX_TERMS = 4;

  /** What starting a loop costs, in loads and stores of a register. */
  private static final int LOOP_COST = 2;

  private static final int ZERO = 0;

  private final int registers;

  /**
   * Instructions one after another: target, number of terms (negative: double the target first),
   * terms.
   */
  private final int[] instructions;

  private final int cost;

  private XorProgram(int registers, int[] instructions, int cost) {
    this.registers = registers;
    this.instructions = instructions;
    this.cost = cost;
  }

  static XorProgram of(ByteMatrix matrix) {
    XorProgram best = null;
    for (int width = 1; width <= Math.min(MAX_GROUP, matrix.columns()); width++) {
      XorProgram program = new Compiler(matrix, width).compile();
      if (best == null || program.cost < best.cost) {
        best = program;
      }
    }
    return best;
  }

  int registers() {
    return registers;
  }

  /** Loads, stores and loops of one run. */
  int cost() {
    return cost;
  }

  static int inputRegister(int column) {
    return 1 + column;
  }

  static int outputRegister(ByteMatrix matrix, int row) {
    return 1 + matrix.columns() + row;
  }

  /**
   * Runs over the first longs of each register.
   *
   * @param memory at least {@link #registers()} arrays of at least {@code length} longs, the first
   *     all zeros
   */
  void run(long[][] memory, int length) {
    int[] code = instructions;
    for (int at = 0; at < code.length; at += 2 + Math.abs(code[at + 1])) {
      long[] to = memory[code[at]];
      long[] a = memory[code[at + 2]];
      int terms = code[at + 1];
      long[] b = Math.abs(terms) > 1 ? memory[code[at + 3]] : null;
      long[] c = Math.abs(terms) > 2 ? memory[code[at + 4]] : null;
      long[] d = Math.abs(terms) > 3 ? memory[code[at + 5]] : null;
      switch (terms) {
        case 1 -> XorLoops.sum(length, to, a);
        case 2 -> XorLoops.sum(length, to, a, b);
        case 3 -> XorLoops.sum(length, to, a, b, c);
        case 4 -> XorLoops.sum(length, to, a, b, c, d);
        case -1 -> XorLoops.doubleAndAdd(length, to, a);
        case -2 -> XorLoops.doubleAndAdd(length, to, a, b);
        case -3 -> XorLoops.doubleAndAdd(length, to, a, b, c);
        case -4 -> XorLoops.doubleAndAdd(length, to, a, b, c, d);
        default -> throw new AssertionError("no loop adds " + terms + " registers");
      }
    }
  }

  /** Compiles for one width of groups. */
  private static final class Compiler {
    private final ByteMatrix matrix;

    /** First column of each group, and the number of columns at the end. */
    private final int[] groupStart;

    /** Register that holds the sum of a subset of a group, by group and subset; 0 = none yet. */
    private final int[][] subsetSum;

    private int registers;
    private int[] instructions = new int[256];
    private int end;
    private int cost;

    Compiler(ByteMatrix matrix, int width) {
      this.matrix = matrix;
      registers = outputRegister(matrix, matrix.rows());
      int groups = (matrix.columns() + width - 1) / width;
      groupStart = new int[groups + 1];
      subsetSum = new int[groups][];
      for (int group = 0; group < groups; group++) {
        groupStart[group + 1] = (group + 1) * matrix.columns() / groups;
        subsetSum[group] = new int[1 << (groupStart[group + 1] - groupStart[group])];
      }
    }

    XorProgram compile() {
      for (int row = 0; row < matrix.rows(); row++) {
        evaluate(row);
      }
      return new XorProgram(registers, Arrays.copyOf(instructions, end), cost);
    }

    private void evaluate(int row) {
      int out = outputRegister(matrix, row);
      int highest = highestBit(row);
      sum(out, coefficient(row, highest), false);
      for (int bit = highest - 1; bit >= 0; bit--) {
        sum(out, coefficient(row, bit), true);
      }
    }

    private int highestBit(int row) {
      int all = 1;
      for (int column = 0; column < matrix.columns(); column++) {
        all |= matrix.at(row, column);
      }
      return 31 - Integer.numberOfLeadingZeros(all);
    }

    /** Registers whose sum is the coefficient of x^bit; the zero register if there are none. */
    private int[] coefficient(int row, int bit) {
      int[] terms = new int[subsetSum.length];
      int count = 0;
      for (int group = 0; group < subsetSum.length; group++) {
        int subset = 0;
        for (int column = groupStart[group]; column < groupStart[group + 1]; column++) {
          subset |= (matrix.at(row, column) >> bit & 1) << (column - groupStart[group]);
        }
        if (subset != 0) {
          terms[count++] = subsetSum(group, subset);
        }
      }
      return count == 0 ? new int[] {ZERO} : Arrays.copyOf(terms, count);
    }

    private int subsetSum(int group, int subset) {
      int last = Integer.numberOfTrailingZeros(subset);
      int others = subset & (subset - 1);
      if (others == 0) {
        return inputRegister(groupStart[group] + last);
      }
      if (subsetSum[group][subset] == 0) {
        int[] terms = {subsetSum(group, others), subsetSum(group, 1 << last)};
        subsetSum[group][subset] = registers++;
        sum(subsetSum[group][subset], terms, false);
      }
      return subsetSum[group][subset];
    }

    /** Sets a register to the sum of terms, which may take several loops. */
    private void sum(int to, int[] terms, boolean doubleFirst) {
      int first = Math.min(terms.length, MAX_TERMS);
      emit(to, Arrays.copyOf(terms, first), doubleFirst);
      for (int from = first; from < terms.length; from += MAX_TERMS - 1) {
        int until = Math.min(terms.length, from + MAX_TERMS - 1);
        int[] withTarget = new int[1 + until - from];
        withTarget[0] = to;
        System.arraycopy(terms, from, withTarget, 1, until - from);
        emit(to, withTarget, false);
      }
    }

    private void emit(int to, int[] terms, boolean doubleFirst) {
      if (end + 2 + terms.length > instructions.length) {
        instructions = Arrays.copyOf(instructions, 2 * instructions.length);
      }
      instructions[end++] = to;
      instructions[end++] = doubleFirst ? -terms.length : terms.length;
      for (int term : terms) {
        instructions[end++] = term;
      }
      cost += terms.length + (doubleFirst ? 1 : 0) + 1 + LOOP_COST;
    }
  }
}
