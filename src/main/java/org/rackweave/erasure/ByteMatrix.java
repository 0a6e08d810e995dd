package org.rackweave.erasure;

import java.util.Arrays;

/** An immutable matrix over the field of {@link Gf256}. */
public final class ByteMatrix {
  private final int columns;
  private final byte[][] cells;

  private ByteMatrix(int columns, byte[][] cells) {
    this.columns = columns;
    this.cells = cells;
  }

  /** What a cell holds, by row and column. */
  interface Cell {
    int at(int row, int column);
  }

  static ByteMatrix of(int rows, int columns, Cell cell) {
    byte[][] cells = new byte[rows][columns];
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        cells[row][column] = (byte) cell.at(row, column);
      }
    }
    return new ByteMatrix(columns, cells);
  }

  public int rows() {
    return cells.length;
  }

  public int columns() {
    return columns;
  }

  /** One cell, 0 to 255. */
  public int at(int row, int column) {
    return cells[row][column] & 255;
  }

  /** All cells, row after row, in an array of the caller's own. */
  public byte[] toBytes() {
    byte[] all = new byte[rows() * columns];
    for (int row = 0; row < rows(); row++) {
      System.arraycopy(cells[row], 0, all, row * columns, columns);
    }
    return all;
  }

  ByteMatrix times(ByteMatrix right) {
    return of(rows(), right.columns, (row, column) -> dot(row, right, column));
  }

  private int dot(int row, ByteMatrix right, int column) {
    int sum = 0;
    for (int i = 0; i < columns; i++) {
      sum ^= Gf256.multiply(at(row, i), right.at(i, column));
    }
    return sum;
  }

  /**
   * The inverse of a square matrix, by Gauss and Jordan.
   *
   * @throws ArithmeticException when there is none
   */
  ByteMatrix inverse() {
    int size = rows();
    byte[][] left = new byte[size][];
    byte[][] right = new byte[size][size];
    for (int i = 0; i < size; i++) {
      left[i] = cells[i].clone();
      right[i][i] = 1;
    }
    for (int pivot = 0; pivot < size; pivot++) {
      int row = pivot;
      while (row < size && left[row][pivot] == 0) {
        row++;
      }
      if (row == size) {
        throw new ArithmeticException("matrix without an inverse");
      }
      swap(left, row, pivot);
      swap(right, row, pivot);
      int scale = Gf256.inverse(left[pivot][pivot] & 255);
      scale(left[pivot], scale);
      scale(right[pivot], scale);
      for (int other = 0; other < size; other++) {
        if (other != pivot) {
          int factor = left[other][pivot] & 255;
          addMultiple(left[other], left[pivot], factor);
          addMultiple(right[other], right[pivot], factor);
        }
      }
    }
    return new ByteMatrix(size, right);
  }

  private static void swap(byte[][] rows, int one, int other) {
    byte[] kept = rows[one];
    rows[one] = rows[other];
    rows[other] = kept;
  }

  private static void scale(byte[] row, int factor) {
    for (int i = 0; i < row.length; i++) {
      row[i] = (byte) Gf256.multiply(row[i] & 255, factor);
    }
  }

  private static void addMultiple(byte[] row, byte[] addend, int factor) {
    for (int i = 0; i < row.length; i++) {
      row[i] ^= (byte) Gf256.multiply(addend[i] & 255, factor);
    }
  }

  @Override
  public String toString() {
    return Arrays.deepToString(cells);
  }
}
