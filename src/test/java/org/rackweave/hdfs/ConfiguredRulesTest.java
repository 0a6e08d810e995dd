package org.rackweave.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rackweave.rules.RuleSet;

/** What earlier versions had in hdfs-site.xml. */
class ConfiguredRulesTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void bothKeysBecomeOneRuleForADirectory() {
    conf.set(ConfiguredRules.CODES, "/warehouse=rs-10-4 age=30d, //logs/=none");
    conf.set(ConfiguredRules.HEAT, "/=none, /warehouse=adapt r=3 epsilon=2 max=6");
    assertEquals(
        "/ heat=none\n"
            + "/logs code=none\n"
            + "/warehouse code=rs-10-4 age=30d heat=adapt min=3 hot=2 max=6",
        ConfiguredRules.of(conf).toString());
  }

  @Test
  void theLogTellsTheCommandThatSaysTheSame() {
    assertEquals(List.of(), ConfiguredRules.advice(conf));
    conf.set(ConfiguredRules.CODES, "unused");
    assertEquals(List.of(), ConfiguredRules.advice(conf));
    conf.set(ConfiguredRules.CODES, "/warehouse=rs-6-3");
    assertEquals(
        List.of("bin/rackweave rules set /warehouse code=rs-6-3"), ConfiguredRules.advice(conf));
  }

  @Test
  void rulesOfTheNamespaceGoBeforeThemWordByWord() {
    conf.set(ConfiguredRules.CODES, "/warehouse=rs-10-4 age=30d");
    conf.set(ConfiguredRules.HEAT, "/warehouse=adapt max=6");
    RuleSet said = RuleSet.NONE.with("/warehouse", RuleSet.words(List.of("code=rs-6-3")));
    assertEquals(
        "/warehouse code=rs-6-3 heat=adapt max=6",
        RuleWords.over(said, ConfiguredRules.of(conf)).toString(),
        "the code's old terms go with the old code");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "warehouse=rs-6-3",
        "/a",
        "/a=",
        "/a=xor-2-1",
        "/a=rs-6-3,",
        "/a=rs-6-3,/a/=rs-10-4",
        "/a=rs-6-3;/b=rs-6-3",
        "/a=rs-6-3 colour=blue",
        "/a=rs-6-3 max=3",
        "/a=none age=3d"
      })
  void keyValueAndWhatIsAllowedAreNamed(String text) {
    conf.set(ConfiguredRules.CODES, text);
    String message =
        assertThrows(IllegalArgumentException.class, () -> ConfiguredRules.of(conf)).getMessage();
    assertTrue(
        message.startsWith("rackweave.ear.paths = '" + text + "': allowed is /directory=VALUE"),
        message);
  }

  @Test
  void aWordThatNobodyReadsIsRefusedWithAllThereAre() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> RuleWords.check(RuleSet.words(List.of("colour=blue"))))
            .getMessage();
    assertTrue(message.startsWith("'colour': allowed is place=network"), message);
    assertEquals(
        "'age': allowed behind code=..., which is missing",
        assertThrows(
                IllegalArgumentException.class,
                () -> RuleWords.check(RuleSet.words(List.of("age=30d"))))
            .getMessage());
  }
}
