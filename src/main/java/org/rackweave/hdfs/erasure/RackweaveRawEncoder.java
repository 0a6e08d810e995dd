package org.rackweave.hdfs.erasure;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawEncoder;
import org.rackweave.erasure.StripeCoder;

/**
 * Hadoop's Reed-Solomon encoder with other arithmetic. It extends Hadoop's Java encoder because the
 * methods that Hadoop means to be implemented take types that only Hadoop's package sees; whatever
 * is not overridden gives the same bytes, slowly.
 */
final class RackweaveRawEncoder extends RSRawEncoder {
  private final StripeCoder coder;
  private final boolean directPreferred;

  /**
   * @param directPreferred whether the coder is faster on direct buffers, so that HDFS uses them
   */
  RackweaveRawEncoder(ErasureCoderOptions options, StripeCoder coder, boolean directPreferred) {
    super(options);
    this.coder = coder;
    this.directPreferred = directPreferred;
  }

  @Override
  public boolean preferDirectBuffer() {
    return directPreferred;
  }

  @Override
  public void encode(ByteBuffer[] inputs, ByteBuffer[] outputs) throws IOException {
    UnitBuffers.checkCount("inputs", getNumDataUnits(), inputs.length);
    UnitBuffers.checkCount("outputs", getNumParityUnits(), outputs.length);
    UnitBuffers.checkCount("inputs that are not null", inputs.length, UnitBuffers.present(inputs));
    int lengthBytes = UnitBuffers.checkedLength(inputs, outputs);
    if (lengthBytes > 0) {
      coder.encode(inputs, outputs, lengthBytes);
      UnitBuffers.consume(inputs);
    }
  }

  @Override
  public void encode(byte[][] inputs, byte[][] outputs) throws IOException {
    encode(UnitBuffers.wrap(inputs), UnitBuffers.wrap(outputs));
  }
}
