package org.rackweave.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The reference says which settings take a restart, and why. */
class StartOnlyTest {
  private static final Pattern RESTART = Pattern.compile("\\[restart: ([^]]*)]");

  private static String reference() throws IOException {
    return Files.readString(Path.of("conf/rackweave-default.xml"));
  }

  private static void assertSays(String key, String description) {
    Matcher restart = RESTART.matcher(description);
    assertEquals(StartOnly.why(key), restart.find() ? restart.group(1) : null, key);
  }

  @Test
  void theReferenceSaysOfEveryKeyWhetherItTakesARestart() throws Exception {
    Matcher property =
        Pattern.compile(
                "<name>([^<]*)</name>\\s*<value/?>[^<]*(?:</value>)?\\s*<description>([^<]*)<")
            .matcher(reference());
    int keys = 0;
    while (property.find()) {
      if (!property.group(1).equals(ConfigKeys.PAPER)) {
        assertSays(property.group(1), property.group(2));
      }
      keys++;
    }
    assertTrue(keys > 60, keys + " keys");
  }

  @Test
  void theReferenceSaysOfEveryConstantWhetherItTakesARestart() throws Exception {
    for (String key : PaperConstants.KEYS) {
      Matcher word =
          Pattern.compile(
                  "\\s" + Pattern.quote(PaperConstants.word(key)) + "=\\S+ \\([^()]*\\)([^;.]*)")
              .matcher(reference());
      assertTrue(word.find(), key);
      assertSays(key, word.group(1));
    }
  }
}
