package org.rackweave.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class RemovedKeysTest {

  @Test
  void namesWhatIsSetInVainAndWhatToDoInstead() {
    Configuration conf = new Configuration(false);
    assertEquals(List.of(), RemovedKeys.setIn(conf));
    conf.set("rackweave.sinbad.promise", "share");
    conf.set("rackweave.telemetry.ewma.alpha", "0.8");
    List<String> advice = RemovedKeys.setIn(conf);
    assertEquals(2, advice.size());
    assertTrue(advice.get(0).startsWith("rackweave.sinbad.promise has no effect any more: "));
    assertTrue(advice.get(1).contains("rackweave.telemetry.estimate = paper"));
  }

  @Test
  void noKeyThatIsReadIsAmongThem() {
    Configuration shipped = new Configuration(false);
    shipped.addResource("rackweave-default.xml");
    assertEquals(List.of(), RemovedKeys.setIn(shipped));
  }
}
