package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.hdfs.ear.FileShrinking.Outcome;

class FileShrinkingTest {
  private final FileShrinking shrinking = shrinking();

  private static FileShrinking shrinking() {
    Configuration conf = new Configuration(false);
    conf.set(ConfiguredRules.CODES, "/=rs-6-3");
    BlockLookup lookup = mock(BlockLookup.class);
    when(lookup.file(anyLong()))
        .then(
            asked ->
                new StoredFile(
                    asked.getArgument(0),
                    "/file",
                    3,
                    0,
                    "",
                    false,
                    1,
                    1,
                    0,
                    0,
                    ReplicaMark.NONE,
                    false,
                    List.of(7L)));
    return new FileShrinking(
        new EncodedView(
            () -> EarConfig.from(conf),
            lookup,
            new EncodedStripes(),
            null,
            () -> true,
            StripeRepairTest::nodes));
  }

  private void assertExempt(boolean isExempt, long... files) throws IOException {
    for (long file : files) {
      assertEquals(isExempt ? Outcome.NOT_NOW : Outcome.PART_ENCODED, shrinking.shrink(file));
    }
  }

  @Test
  void filesKeepTheirReplicasUntilTheLastCallIsOverThatExemptsThem() throws IOException {
    try (FileShrinking.Exemption one = shrinking.exempt(1)) {
      one.add(2);
      try (FileShrinking.Exemption other = shrinking.exempt(2)) {
        other.add(3);
        assertExempt(true, 1, 2, 3);
      }
      assertExempt(true, 1, 2);
      assertExempt(false, 3);
    }
    assertExempt(false, 1, 2, 3);
  }
}
