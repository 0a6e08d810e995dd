package org.rackweave.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class FeatureModesTest {
  private static final FeatureModes SHADOW = FeatureModes.all(Mode.SHADOW);

  @Test
  void laterWordsWin() {
    FeatureModes modes = SHADOW.with("active placement=off recovery=shadow recovery=off");
    assertEquals(Mode.OFF, modes.of(Feature.PLACEMENT));
    assertEquals(Mode.OFF, modes.of(Feature.RECOVERY));
    assertEquals(Mode.ACTIVE, modes.of(Feature.READ_ORDER));
    assertEquals(FeatureModes.all(Mode.OFF), modes.with("off"));
  }

  @Test
  void whatIsNotNamedStaysAsItIs() {
    FeatureModes modes = SHADOW.with(List.of("read-order=active"));
    assertTrue(modes.isActive(Feature.READ_ORDER));
    assertEquals(Mode.SHADOW, modes.of(Feature.HEAT));
    assertFalse(modes.areAll(Mode.SHADOW));
  }

  /** Which is how they are kept: an older version understands one word. */
  @Test
  void whatTheyPrintSaysAllOfThem() {
    assertEquals("shadow", SHADOW.toString());
    FeatureModes mixed = SHADOW.with("sleep=off stripes=active");
    assertEquals(mixed, FeatureModes.all(Mode.ACTIVE).with(mixed.toString()));
    assertEquals(
        "placement=shadow stripes=active heat=shadow sleep=off recovery=shadow read-order=shadow",
        mixed.toString());
  }

  @Test
  void whatMakesNoSenseIsNamedWithWhatIsAllowed() {
    assertRefused("mode = 'on': allowed is active, shadow, off", "on");
    assertRefused("mode = '': allowed is active, shadow, off", "heat=");
    assertRefused(
        "feature = 'heal': allowed is placement, stripes, heat, sleep, recovery, read-order",
        "heal=off");
  }

  private static void assertRefused(String message, String words) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> SHADOW.with(words)).getMessage());
  }

  @Test
  void theSettingTakesThemToo() {
    Configuration conf = new Configuration(false);
    conf.set(ConfigKeys.MODE, "placement=active");
    assertEquals(SHADOW.with("placement=active"), RackweaveConfig.from(conf).modes());
    conf.set(ConfigKeys.MODE, "placment=active");
    assertEquals(
        "rackweave.mode = 'placment=active': allowed is " + FeatureModes.ALLOWED,
        assertThrows(IllegalArgumentException.class, () -> RackweaveConfig.from(conf))
            .getMessage());
  }
}
