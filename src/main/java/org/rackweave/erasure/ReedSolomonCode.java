package org.rackweave.erasure;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A code that adds parity units to data units so that any {@code dataUnits} of them all bring back
 * the others. Units are numbered data first, then parity.
 *
 * <p>The generator matrix is HDFS's: the identity above a Cauchy matrix with 1 / (i + j) in row i
 * of the whole and column j, where + is the field's.
 *
 * @param dataUnits k, at least 1
 * @param parityUnits m, at least 1; k + m is at most 255
 */
public record ReedSolomonCode(int dataUnits, int parityUnits) {
  public static final int MAX_UNITS = 255;
  private static final Pattern NAME = Pattern.compile("rs-(\\d{1,3})-(\\d{1,3})");

  public ReedSolomonCode {
    if (dataUnits < 1 || parityUnits < 1 || dataUnits + parityUnits > MAX_UNITS) {
      throw new IllegalArgumentException(
          "rs-%d-%d: allowed are at least 1 data unit, at least 1 parity unit and at most %d of both"
              .formatted(dataUnits, parityUnits, MAX_UNITS));
    }
  }

  /**
   * Reads a name such as {@code rs-10-4}: data units, parity units.
   *
   * @throws IllegalArgumentException naming the name and what is allowed
   */
  public static ReedSolomonCode named(String name) {
    Matcher numbers = NAME.matcher(name);
    if (!numbers.matches()) {
      throw new IllegalArgumentException(
          "'" + name + "' names no code: allowed is rs-K-M, such as rs-10-4");
    }
    return new ReedSolomonCode(
        Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)));
  }

  public String name() {
    return "rs-" + dataUnits + "-" + parityUnits;
  }

  public int allUnits() {
    return dataUnits + parityUnits;
  }

  /** The matrix that makes the parity units out of the data units, m x k. */
  public ByteMatrix parityRows() {
    return ByteMatrix.of(
        parityUnits, dataUnits, (row, column) -> generator(dataUnits + row, column));
  }

  /**
   * The matrix that makes some units out of others.
   *
   * @param survivors numbers of k different units, in the order in which they are multiplied
   * @param wanted numbers of the units to make, one row each
   */
  public ByteMatrix recoveryRows(int[] survivors, int[] wanted) {
    if (survivors.length != dataUnits) {
      throw new IllegalArgumentException(
          name() + " is decoded from " + dataUnits + " units, not from " + survivors.length);
    }
    return generatorRows(wanted).times(generatorRows(survivors).inverse());
  }

  private ByteMatrix generatorRows(int[] units) {
    for (int unit : units) {
      checkUnit(unit);
    }
    return ByteMatrix.of(units.length, dataUnits, (row, column) -> generator(units[row], column));
  }

  void checkUnit(int unit) {
    if (unit < 0 || unit >= allUnits()) {
      throw new IllegalArgumentException(
          name() + " has no unit " + unit + ", only 0 to " + (allUnits() - 1));
    }
  }

  private int generator(int unit, int column) {
    if (unit < dataUnits) {
      return unit == column ? 1 : 0;
    }
    return Gf256.inverse(unit ^ column);
  }
}
