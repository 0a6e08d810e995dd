package org.rackweave.hdfs.erasure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.rackweave.hdfs.datanode.RackweaveDataNodePlugin;
import org.rackweave.hdfs.erasure.ErasureConfig.Coder;

class ErasureConfigTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void takesTheFastestCoderByDefault() {
    assertEquals(new ErasureConfig(Coder.AUTO, true), ErasureConfig.from(conf));
  }

  @Test
  void hasTheDefaultsThatAreDocumentedAndNoOtherKey() {
    Configuration documented = new Configuration(false);
    documented.addResource("rackweave-default.xml");
    TreeSet<String> keys = new TreeSet<>();
    for (Map.Entry<String, String> entry : documented) {
      if (entry.getKey().startsWith("rackweave.erasure.")) {
        keys.add(entry.getKey());
      }
    }
    assertEquals(new TreeSet<>(Set.of(ErasureConfig.CODER)), keys);
    assertEquals(ErasureConfig.from(conf), ErasureConfig.from(documented));
  }

  @Test
  void mapsEveryKey() {
    conf.set("rackweave.erasure.coder", "isal");
    conf.set("io.erasurecode.codec.native.enabled", "false");
    assertEquals(new ErasureConfig(Coder.ISAL, false), ErasureConfig.from(conf));
  }

  @Test
  void refusesAnUnknownCoder() {
    conf.set("rackweave.erasure.coder", "gpu");
    String expected = "rackweave.erasure.coder = 'gpu': allowed is auto, java, isal, hadoop";
    assertEquals(expected, refusal(() -> ErasureConfig.from(conf)));
    assertEquals(expected, refusal(() -> new RackweaveDataNodePlugin().setConf(conf)));
  }

  private static String refusal(Executable reader) {
    return assertThrows(IllegalArgumentException.class, reader).getMessage();
  }
}
