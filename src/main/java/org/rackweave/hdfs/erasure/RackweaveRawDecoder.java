package org.rackweave.hdfs.erasure;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawDecoder;
import org.rackweave.erasure.StripeCoder;

/** Hadoop's Reed-Solomon decoder with other arithmetic; see {@link RackweaveRawEncoder}. */
final class RackweaveRawDecoder extends RSRawDecoder {
  private final StripeCoder coder;
  private final boolean directPreferred;

  RackweaveRawDecoder(ErasureCoderOptions options, StripeCoder coder, boolean directPreferred) {
    super(options);
    this.coder = coder;
    this.directPreferred = directPreferred;
  }

  @Override
  public boolean preferDirectBuffer() {
    return directPreferred;
  }

  // Hadoop's own is synchronized because of its scratch memory; ours has that elsewhere.
  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  public void decode(ByteBuffer[] inputs, int[] erasedIndexes, ByteBuffer[] outputs)
      throws IOException {
    UnitBuffers.checkCount("inputs", getNumAllUnits(), inputs.length);
    UnitBuffers.checkCount("outputs", erasedIndexes.length, outputs.length);
    if (erasedIndexes.length > getNumParityUnits()) {
      throw new HadoopIllegalArgumentException(
          erasedIndexes.length + " units are erased, " + getNumParityUnits() + " can be recovered");
    }
    int lengthBytes = UnitBuffers.checkedLength(inputs, outputs);
    int present = UnitBuffers.present(inputs);
    if (present < getNumDataUnits()) {
      throw new HadoopIllegalArgumentException(
          present + " units are there, " + getNumDataUnits() + " are needed to recover any");
    }
    if (lengthBytes > 0) {
      coder.decode(inputs, erasedIndexes, outputs, lengthBytes);
      UnitBuffers.consume(inputs);
    }
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  public void decode(byte[][] inputs, int[] erasedIndexes, byte[][] outputs) throws IOException {
    decode(UnitBuffers.wrap(inputs), erasedIndexes, UnitBuffers.wrap(outputs));
  }
}
