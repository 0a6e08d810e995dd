package org.rackweave.hdfs.erasure;

import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.io.erasurecode.ErasureCodeConstants;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives Hadoop our coders, where {@code io.erasurecode.codec.rs.rawcoders} names {@value
 * #CODER_NAME}. Hadoop makes factories without a configuration, so the process's configuration
 * files are read, once.
 */
public final class RackweaveRawErasureCoderFactory implements RawErasureCoderFactory {
  public static final String CODER_NAME = "rs_rackweave";

  private static final Logger LOG = LoggerFactory.getLogger(RackweaveRawErasureCoderFactory.class);
  private static CoderSelection selection;
  private static IllegalArgumentException refusal;

  /**
   * @throws IllegalArgumentException for a setting that is not allowed; Hadoop then tries the next
   *     coder it is configured to use, without a word, so the log is told here
   */
  private static synchronized CoderSelection selection() {
    if (selection == null && refusal == null) {
      try {
        selection = CoderSelection.of(ErasureConfig.from(new HdfsConfiguration()));
      } catch (IllegalArgumentException e) {
        LOG.error("No erasure coding by Rackweave: {}", e.getMessage());
        refusal = e;
      }
    }
    if (refusal != null) {
      throw refusal;
    }
    return selection;
  }

  @Override
  public RawErasureEncoder createEncoder(ErasureCoderOptions options) {
    return selection().encoder(options);
  }

  @Override
  public RawErasureDecoder createDecoder(ErasureCoderOptions options) {
    return selection().decoder(options);
  }

  @Override
  public String getCoderName() {
    return CODER_NAME;
  }

  @Override
  public String getCodecName() {
    return ErasureCodeConstants.RS_CODEC_NAME;
  }
}
