package org.rackweave.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The papers' constants in one key, and in the keys of their own that they had. */
class PaperConstantsTest {
  private static Configuration conf(String paper) {
    Configuration conf = new Configuration(false);
    conf.set("rackweave.paper", paper);
    return conf;
  }

  private static String refusal(Configuration conf) {
    return assertThrows(IllegalArgumentException.class, () -> RackweaveConfig.from(conf))
        .getMessage();
  }

  @Test
  void wordsAreReadEachByItsFeature() {
    RackweaveConfig config =
        RackweaveConfig.from(
            conf("dayu.alpha=0.8 eafr.tau-load=0.7\n ear.rack-limit=2  eafr.rates.eta-lower=0.1"));
    assertEquals(0.8, config.dayu().bandwidth().alpha());
    assertEquals(0.7, config.eafr().thresholds().bounds().tauLoad());
    assertEquals(2, config.ear().forming().rackLimit());
    assertEquals(0.1, config.eafr().rates().lowFraction());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dayu.gamma=0.8",
        "dayu.alpha",
        "dayu.alpha=",
        "=0.8",
        "rackweave.dayu.alpha=0.8",
        "eafr.interval=1m",
      })
  void namesAWordThatIsNone(String word) {
    String message = refusal(conf("eafr.beta=1 " + word));
    assertTrue(
        message.startsWith("rackweave.paper = '" + word + "': allowed is none, or WORD=VALUE"));
    assertTrue(message.contains("eafr.tau-upper"), message);
  }

  @Test
  void aWordIsSaidOnce() {
    String message = refusal(conf("dayu.beta=0.1 dayu.beta=0.2"));
    assertTrue(message.startsWith("rackweave.paper = 'dayu.beta=0.2': allowed is "), message);
  }

  @Test
  void namesWordValueAndRangeOfWhatIsOutOfRange() {
    assertEquals(
        "rackweave.paper dayu.alpha = '2': allowed is a number from 0.01 to 1.0",
        refusal(conf("dayu.alpha=2")));
    assertEquals(
        "rackweave.paper eafr.rates.eta-lower = '0.6': allowed is a number above 0 and below"
            + " rackweave.paper eafr.rates.eta-upper = '0.5'",
        refusal(conf("eafr.rates.eta-lower=0.6")));
    assertEquals(
        "rackweave.paper eafr.thresholds = 'percent': allowed is shares, reads",
        refusal(conf("eafr.thresholds=percent")));
  }

  @Test
  void aKeyOfAnEarlierVersionSaysTheSameAsItsWord() {
    Map<String, String> values = documented();
    values.put("dayu.alpha", "0.8");
    values.put("dayu.beta", "0.1");
    values.put("dayu.min.bytes-per-sec", "1e6");
    values.put("dayu.min.share", "0.5");
    values.put("ear.rack-limit", "2");
    values.put("ear.target-racks", "200");
    values.put("eafr.thresholds", "reads");
    values.put("eafr.tau-upper", "30");
    values.put("eafr.tau-lower", "15");
    values.put("eafr.sigma-upper", "12");
    values.put("eafr.sigma-lower", "2");
    for (String word : List.of("gamma-reads", "gamma-servers", "tau-load", "alpha", "beta")) {
      values.put("eafr." + word, "0.6");
    }
    values.put("eafr.rates.eta-lower", "0.3");
    values.put("eafr.rates.eta-upper", "0.4");
    Configuration earlier = new Configuration(false);
    StringBuilder words = new StringBuilder();
    values.forEach(
        (word, value) -> {
          earlier.set("rackweave." + word, value);
          words.append(' ').append(word).append('=').append(value);
        });
    RackweaveConfig said = RackweaveConfig.from(conf(words.toString()));
    assertEquals(said, RackweaveConfig.from(earlier));
    assertFalse(said.equals(RackweaveConfig.from(new Configuration(false))));
    List<String> log = RemovedKeys.setIn(earlier);
    assertEquals(values.size(), log.size());
    assertTrue(
        log.contains(
            "rackweave.dayu.alpha is still read, but will not be: set rackweave.paper to"
                + " dayu.alpha=0.8"),
        log::toString);
  }

  @Test
  void aWordGoesBeforeTheKeyOfAnEarlierVersion() {
    Configuration conf = conf("dayu.alpha=0.8");
    conf.set("rackweave.dayu.alpha", "0.5");
    assertEquals(0.8, RackweaveConfig.from(conf).dayu().bandwidth().alpha());
    assertEquals(
        List.of("rackweave.dayu.alpha has no effect: rackweave.paper says dayu.alpha"),
        RemovedKeys.setIn(conf));
  }

  @Test
  void theReferenceShowsEveryWordWithItsDefault() {
    Map<String, String> words = documented();
    assertEquals(
        new TreeSet<>(PaperConstants.KEYS.stream().map(PaperConstants::word).toList()),
        words.keySet());
    StringBuilder all = new StringBuilder();
    words.forEach((word, value) -> all.append(' ').append(word).append('=').append(value));
    assertEquals(
        RackweaveConfig.from(new Configuration(false)), RackweaveConfig.from(conf("" + all)));
  }

  /** Words with defaults, each of which says where its number comes from. */
  private static Map<String, String> documented() {
    try {
      String reference = Files.readString(Path.of("conf/rackweave-default.xml"));
      Matcher word =
          Pattern.compile(
                  "\\s((?:ear|dayu|eafr)\\.[a-z.-]+)=(\\S+) \\([^()]*\\)"
                      + " \\[(?:EAR|Dayu|EAFR|measured|ours)\\b")
              .matcher(reference);
      Map<String, String> words = new TreeMap<>();
      while (word.find()) {
        words.put(word.group(1), word.group(2));
      }
      return words;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
