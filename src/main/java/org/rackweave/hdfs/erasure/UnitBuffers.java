package org.rackweave.hdfs.erasure;

import java.nio.ByteBuffer;
import org.apache.hadoop.HadoopIllegalArgumentException;

/** The contract of Hadoop's raw coders on the buffers they are given. */
final class UnitBuffers {
  private UnitBuffers() {}

  /**
   * Checks inputs and outputs: all of one length, all direct or none.
   *
   * @param inputs null stands for a unit that is not there
   * @return the length in bytes
   * @throws HadoopIllegalArgumentException naming what is wrong
   */
  static int checkedLength(ByteBuffer[] inputs, ByteBuffer[] outputs) {
    ByteBuffer sample = firstPresent(inputs);
    for (int i = 0; i < inputs.length; i++) {
      if (inputs[i] != null) {
        checkAlike(sample, inputs[i], "input", i);
      }
    }
    for (int i = 0; i < outputs.length; i++) {
      if (outputs[i] == null) {
        throw new HadoopIllegalArgumentException("output " + i + " is null");
      }
      checkAlike(sample, outputs[i], "output", i);
    }
    return sample.remaining();
  }

  private static ByteBuffer firstPresent(ByteBuffer[] inputs) {
    for (ByteBuffer input : inputs) {
      if (input != null) {
        return input;
      }
    }
    throw new HadoopIllegalArgumentException("all inputs are null");
  }

  private static void checkAlike(ByteBuffer sample, ByteBuffer buffer, String what, int index) {
    if (buffer.remaining() != sample.remaining()) {
      throw new HadoopIllegalArgumentException(
          "%s %d has %d bytes remaining where the first input has %d"
              .formatted(what, index, buffer.remaining(), sample.remaining()));
    }
    if (buffer.isDirect() != sample.isDirect()) {
      throw new HadoopIllegalArgumentException(
          "%s %d is %s where the first input is not"
              .formatted(what, index, buffer.isDirect() ? "direct" : "on the heap"));
    }
  }

  static void checkCount(String what, int expected, int actual) {
    if (actual != expected) {
      throw new HadoopIllegalArgumentException(
          actual + " " + what + " where there must be " + expected);
    }
  }

  static int present(ByteBuffer[] units) {
    int present = 0;
    for (ByteBuffer unit : units) {
      present += unit == null ? 0 : 1;
    }
    return present;
  }

  /** What a raw coder leaves behind: inputs read to their ends. */
  static void consume(ByteBuffer[] inputs) {
    for (ByteBuffer input : inputs) {
      if (input != null) {
        input.position(input.limit());
      }
    }
  }

  static ByteBuffer[] wrap(byte[][] arrays) {
    ByteBuffer[] buffers = new ByteBuffer[arrays.length];
    for (int i = 0; i < arrays.length; i++) {
      buffers[i] = arrays[i] == null ? null : ByteBuffer.wrap(arrays[i]);
    }
    return buffers;
  }
}
