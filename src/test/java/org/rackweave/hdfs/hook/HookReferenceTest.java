package org.rackweave.hdfs.hook;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rackweave.docs.GeneratedPart;

/** The table of hooks in the reference is that of the code. */
class HookReferenceTest {
  @Test
  void referenceListsEveryHook() throws IOException {
    List<String> lines = new ArrayList<>(List.of("| hook | if it fails |", "|---|---|"));
    for (Hook hook : Hook.values()) {
      lines.add("| `" + hook.camel() + "` | " + hook.consequence() + " |");
    }
    GeneratedPart.check(Path.of("docs/reference.md"), "hooks", lines);
  }
}
