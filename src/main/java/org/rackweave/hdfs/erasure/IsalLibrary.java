package org.rackweave.hdfs.erasure;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;

/**
 * The functions of libisal that are used, and the one class that names JNA: where JNA is missing,
 * touching it is a {@link NoClassDefFoundError}. Addresses travel as longs, which a 64-bit machine
 * passes like pointers.
 */
final class IsalLibrary {
  /** What Debian and Red Hat install, then whatever else the system knows under the name. */
  private static final String[] NAMES = {"libisal.so.2", "isal"};

  /** What one coefficient takes in a table. */
  static final int TABLE_BYTES = 32;

  static {
    if (Native.POINTER_SIZE != Long.BYTES) {
      throw new UnsatisfiedLinkError("libisal is used on 64-bit machines only");
    }
    Native.register(IsalLibrary.class, library());
  }

  private IsalLibrary() {}

  private static NativeLibrary library() {
    UnsatisfiedLinkError first = null;
    for (String name : NAMES) {
      try {
        return NativeLibrary.getInstance(name);
      } catch (UnsatisfiedLinkError e) {
        first = first == null ? e : first;
      }
    }
    throw first;
  }

  /**
   * Prepares the tables of a matrix.
   *
   * @param matrix address of rows x columns bytes
   * @param tables address of {@link #TABLE_BYTES} x rows x columns bytes to fill
   */
  static native void ec_init_tables(int columns, int rows, long matrix, long tables);

  /**
   * Multiplies units with a matrix.
   *
   * @param inputs address of as many addresses as there are columns
   * @param outputs address of as many addresses as there are rows
   */
  static native void ec_encode_data(
      int lengthBytes, int columns, int rows, long tables, long inputs, long outputs);

  /** Address of the byte at the position of a direct buffer. */
  static long address(ByteBuffer direct) {
    return Pointer.nativeValue(Native.getDirectBufferPointer(direct)) + direct.position();
  }
}
