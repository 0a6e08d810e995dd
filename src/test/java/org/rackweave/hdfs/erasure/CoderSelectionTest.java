package org.rackweave.hdfs.erasure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.rackweave.erasure.JavaArithmetic;
import org.rackweave.erasure.ReedSolomonCode;
import org.rackweave.erasure.StripeCoder;
import org.rackweave.hdfs.erasure.ErasureConfig.Coder;

class CoderSelectionTest {
  private static final ErasureCoderOptions OPTIONS = new ErasureCoderOptions(6, 3);

  private static CoderSelection select(ErasureConfig config, boolean isal, boolean hadoopNative) {
    CoderSelection.IsalSource source =
        () -> {
          if (isal) {
            return new JavaArithmetic();
          }
          throw new IsalMissingException("not here", null);
        };
    return CoderSelection.of(config, source, () -> hadoopNative);
  }

  @ParameterizedTest
  @CsvSource({
    "AUTO, true, true, true, libisal through JNA",
    "AUTO, true, false, true, Hadoop's native coder",
    "AUTO, true, false, false, Rackweave's Java coder (not here)",
    "AUTO, false, true, true, Rackweave's Java coder (native code is not allowed)",
    "JAVA, true, true, true, Rackweave's Java coder (as configured)",
    "ISAL, false, true, true, libisal through JNA",
    "ISAL, true, false, true, Rackweave's Java coder (not here)",
    "HADOOP, true, true, true, Hadoop's native coder",
    "HADOOP, false, true, true, Hadoop's Java coder",
    "HADOOP, true, true, false, Hadoop's Java coder",
  })
  void choosesWhatIsThere(
      Coder coder, boolean nativeAllowed, boolean isal, boolean hadoopNative, String expected) {
    ErasureConfig config = new ErasureConfig(coder, nativeAllowed);
    assertEquals(expected, select(config, isal, hadoopNative).toString());
  }

  @Test
  void givesHadoopsOwnCodersWhereThoseAreChosen() {
    CoderSelection hadoop = select(new ErasureConfig(Coder.HADOOP, true), true, false);
    assertSame(RSRawEncoder.class, hadoop.encoder(OPTIONS).getClass());
    assertSame(RSRawDecoder.class, hadoop.decoder(OPTIONS).getClass());
  }

  @Test
  void sharesOneCoderPerCode() {
    CoderSelection java = select(new ErasureConfig(Coder.JAVA, true), false, false);
    ReedSolomonCode code = new ReedSolomonCode(6, 3);
    assertSame(java.coder(code), java.coder(new ReedSolomonCode(6, 3)));
  }

  @Test
  void isFoundByHadoopUnderItsName() {
    Configuration conf = new Configuration(false);
    conf.set("io.erasurecode.codec.rs.rawcoders", "rs_rackweave, rs_native, rs_java");
    assertInstanceOf(RackweaveRawEncoder.class, CodecUtil.createRawEncoder(conf, "rs", OPTIONS));
    assertInstanceOf(RackweaveRawDecoder.class, CodecUtil.createRawDecoder(conf, "rs", OPTIONS));
  }

  @Test
  void leavesHadoopsDefaultAlone() {
    Configuration conf = new Configuration();
    assertSame(RSRawEncoder.class, CodecUtil.createRawEncoder(conf, "rs", OPTIONS).getClass());
  }

  @ParameterizedTest
  @EnumSource(Coder.class)
  void codesShortUnitsAlikeWhateverIsChosen(Coder coder) throws IOException {
    ReedSolomonCode code = new ReedSolomonCode(4, 2);
    StripeCoder expected = select(new ErasureConfig(Coder.JAVA, true), false, false).coder(code);
    StripeCoder chosen = CoderSelection.of(new ErasureConfig(coder, true)).coder(code);
    SplittableRandom random = new SplittableRandom(31);
    int[][] lengths = {{70_000, 70_000, 70_000, 70_000}, {140_001, 5, 0, 70_000}, {9, 0, 0, 0}};
    for (int[] ends : lengths) {
      codeBoth(random, expected, chosen, ends, true);
      codeBoth(random, expected, chosen, ends, false);
    }
  }

  private static void codeBoth(
      SplittableRandom random, StripeCoder expected, StripeCoder chosen, int[] ends, boolean direct)
      throws IOException {
    int length = ends[0];
    ByteBuffer[] units = new ByteBuffer[6];
    for (int i = 0; i < 4; i++) {
      units[i] = new Units(random, direct, ends[i]).several(1)[0];
    }
    ByteBuffer[] data = Arrays.copyOf(units, 4);
    ByteBuffer[] parity = new Units(random, direct, length).several(2);
    ByteBuffer[] others = Units.copies(parity);
    expected.encode(data, parity, length);
    chosen.encode(data, others, length);
    Units.assertSame(parity, others, "parity");

    // Data and parity lost, asked for in both orders.
    units[1] = null;
    units[5] = parity[1];
    for (int[] wanted : new int[][] {{1, 4}, {4, 1}}) {
      ByteBuffer[] recovered = new Units(random, direct, length).several(2);
      chosen.decode(units, wanted, recovered, length);
      for (int i = 0; i < 2; i++) {
        ByteBuffer whole = wanted[i] == 1 ? padded(data[1], length) : parity[0];
        assertEquals(whole, recovered[i], "unit " + wanted[i]);
      }
    }
    assertTrue(units[2].remaining() == ends[2] && units[5].remaining() == length);
  }

  private static ByteBuffer padded(ByteBuffer unit, int lengthBytes) {
    return ByteBuffer.allocate(lengthBytes).put(unit.duplicate()).rewind();
  }
}
