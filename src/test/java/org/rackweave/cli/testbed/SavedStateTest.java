package org.rackweave.cli.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedStateTest {

  @TempDir Path directory;

  @Test
  void anotherProcessReadsTheSamePlan() throws IOException {
    TestbedSpec spec =
        new TestbedSpec(
            "lab", 3, 4, 50, 80, 512, "bbr", TestbedPolicy.SINBAD, Map.of("dfs.x", "a b"));
    SavedState state = new SavedState(spec, new AddressBlock(5), "3.5.0", 1_234_567_890_123L);
    Path file = directory.resolve("testbed.json");
    state.write(file);
    assertEquals(state, SavedState.read(file));
  }
}
