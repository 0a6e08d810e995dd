package org.rackweave.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RemovedKeysTest {

  @Test
  void namesWhatIsSetInVainAndWhatToDoInstead() {
    Configuration conf = new Configuration(false);
    assertEquals(List.of(), RemovedKeys.setIn(conf));
    conf.set("rackweave.sinbad.promise", "share");
    conf.set("rackweave.telemetry.ewma.alpha", "0.8");
    List<String> advice = RemovedKeys.setIn(conf);
    assertEquals(2, advice.size());
    assertTrue(advice.get(0).startsWith("rackweave.sinbad.promise no longer has an effect: "));
    assertTrue(advice.get(1).contains("agents report what their links carry now"));
  }

  /** Nor does it stop a start, whatever its value. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "telemetry.estimate",
        "telemetry.warm-up.interval",
        "telemetry.future.tolerance",
        "telemetry.read-counts.top-k",
        "sinbad.threshold.fraction",
        "sinbad.candidates.max",
        "sinbad.storage-imbalance.limit",
        "sinbad.interval",
        "sinbad.interval.max-held",
        "ear.open-stripes.max",
        "ear.seat.age",
        "ear.restore.blocks.max",
        "dayu.algorithm",
        "dayu.rates",
        "dayu.schedule-ahead",
        "dayu.restart-stragglers",
        "eafr.power.asleep-watts",
        "eafr.verify.max",
      })
  void aRemovedKeyChangesNothingButIsNamed(String word) {
    String key = "rackweave." + word;
    Configuration conf = new Configuration(false);
    conf.set(key, "nonsense");
    assertEquals(
        RackweaveConfig.from(new Configuration(false)), RackweaveConfig.from(conf), () -> key);
    List<String> advice = RemovedKeys.setIn(conf);
    assertEquals(1, advice.size());
    assertTrue(advice.get(0).startsWith(key + " no longer has an effect: "), advice::toString);
  }

  @ParameterizedTest
  @CsvSource({
    "rackweave.ear.encode.age, 2h, age=",
    "rackweave.ear.encode.quiet, 3h, quiet=",
    "rackweave.ear.encode.size.min, 4096, size=",
    "rackweave.ear.ranking, sinbad, RackweaveBlockPlacementPolicy",
  })
  void aKeyThatAnotherWayReplacesIsStillRead(String key, String value, String instead) {
    Configuration conf = new Configuration(false);
    conf.set(ConfiguredRules.CODES, "/=rs-6-3");
    EarConfig before = RackweaveConfig.from(conf).ear();
    conf.set(key, value);
    EarConfig after = RackweaveConfig.from(conf).ear();
    assertTrue(
        after.ranking() != before.ranking()
            || !after.paths().termsOf("/a").equals(before.paths().termsOf("/a")));
    List<String> advice = RemovedKeys.setIn(conf);
    assertEquals(1, advice.size());
    assertTrue(advice.get(0).startsWith(key + " is still read, but will not be: "));
    assertTrue(advice.get(0).contains(instead), advice::toString);
  }

  @Test
  void noKeyThatIsReadIsAmongThem() {
    Configuration shipped = new Configuration(false);
    shipped.addResource("rackweave-default.xml");
    assertEquals(List.of(), RemovedKeys.setIn(shipped));
  }
}
