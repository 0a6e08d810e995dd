package org.rackweave.hdfs.erasure;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.rackweave.hdfs.ConfigReader;

/**
 * What the operator told about erasure coding.
 *
 * @param coder whose arithmetic codes
 * @param nativeAllowed whether {@link Coder#AUTO} may choose native code; Hadoop's own setting
 */
public record ErasureConfig(Coder coder, boolean nativeAllowed) {
  public static final String CODER = "rackweave.erasure.coder";

  /** Whose arithmetic codes. */
  public enum Coder {
    /** The fastest that is there: libisal, Hadoop's native coder, or ours. */
    AUTO,
    /** Ours, which needs only the JVM. */
    JAVA,
    /** libisal through JNA; ours where one of them is missing. */
    ISAL,
    /** Hadoop's own: native where Hadoop was built with ISA-L, else its Java coder. */
    HADOOP
  }

  /**
   * @throws IllegalArgumentException naming key, value and what is allowed
   */
  public static ErasureConfig from(Configuration conf) {
    return new ErasureConfig(
        new ConfigReader(conf).choice(CODER, Coder.AUTO),
        conf.getBoolean(
            CodecUtil.IO_ERASURECODE_CODEC_NATIVE_ENABLED_KEY,
            CodecUtil.IO_ERASURECODE_CODEC_NATIVE_ENABLED_DEFAULT));
  }
}
