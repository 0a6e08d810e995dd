package org.rackweave.cli.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RequirementsTest {

  @Test
  void namesWhatIsMissingAndThePackagesItIsIn() throws IOException {
    Requirements.checkPrograms(program -> true);
    IOException refused =
        assertThrows(
            IOException.class,
            () -> Requirements.checkPrograms(program -> Set.of("ip", "mount").contains(program)));
    assertEquals(
        "not on the PATH: tc, iperf3, umount, setsid"
            + " (Debian: apt-get install iperf3 iproute2 mount util-linux)",
        refused.getMessage());
  }

  @Test
  void rootIsTheEffectiveUser() {
    assertTrue(Requirements.isRoot(List.of("Name:\tjava", "Uid:\t1000\t0\t0\t0", "Gid:\t0")));
    assertFalse(Requirements.isRoot(List.of("Name:\tjava", "Uid:\t0\t1000\t0\t0", "Gid:\t0")));
    assertFalse(Requirements.isRoot(List.of("Gid:\t0\t0\t0\t0")));
  }
}
