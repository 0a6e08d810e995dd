package org.rackweave.sim.encoding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeRules;
import org.rackweave.sim.SmallCluster;
import org.rackweave.sim.policy.EarPolicy;
import org.rackweave.sim.scenario.EncodingSpec;
import org.rackweave.sim.scenario.EncodingSpec.Writers;

class StoredStripesTest {
  @ParameterizedTest
  @EnumSource(Writers.class)
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void stripesThatDoNotComeAboutAreAnErrorWhoeverWrites(Writers writers) {
    EarPolicy none = mock(EarPolicy.class);
    when(none.place(any())).thenReturn(new int[] {0, 1});
    when(none.takeSealed()).thenReturn(List.of());
    EncodingSpec spec =
        new EncodingSpec(
            ErasureCode.named("rs-4-2"),
            1,
            StripeRules.ALL_RACKS,
            2,
            0,
            2,
            writers,
            0,
            1,
            Double.POSITIVE_INFINITY,
            true);
    StoredStripes stripes =
        new StoredStripes(spec, new SmallCluster(6, 1).cluster, none, new SplittableRandom(1));
    IllegalStateException failure = assertThrows(IllegalStateException.class, stripes::write);
    int open = 6 * spec.rules().openStripesMax() * 4;
    assertEquals(
        4 * 2 * 4
            + open
            + " blocks gave 0 of 2 stripes of rs-4-2: too few racks, nodes or replicas",
        failure.getMessage());
  }
}
