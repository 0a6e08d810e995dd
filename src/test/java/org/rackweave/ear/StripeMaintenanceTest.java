package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.ear.StripeMaintenance.MemberState.CHANGED;
import static org.rackweave.ear.StripeMaintenance.MemberState.DELETED;
import static org.rackweave.ear.StripeMaintenance.MemberState.ENCODED;
import static org.rackweave.ear.StripeMaintenance.MemberState.KEPT;
import static org.rackweave.ear.StripeMaintenance.MemberState.LEFT;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;
import org.rackweave.ear.StripeMaintenance.Care;
import org.rackweave.ear.StripeMaintenance.MemberState;

class StripeMaintenanceTest {
  private static final int PARITY = 3;
  private static final int MARGIN = 2;

  private static Care decide(MemberState... members) {
    return StripeMaintenance.decide(List.of(members), MARGIN, PARITY);
  }

  @Test
  void keepsAStripeThatIsAsItWas() {
    assertEquals(Care.KEEP, decide(ENCODED, ENCODED, KEPT));
    assertEquals(Care.KEEP, decide(ENCODED, LEFT, ENCODED));
  }

  @Test
  void letsMembersGoDownToTheMargin() {
    assertEquals(Care.LET_GO, decide(ENCODED, DELETED, ENCODED));
    assertEquals(Care.LET_GO, decide(CHANGED, ENCODED));
    assertEquals(Care.GIVE_UP, decide(ENCODED, DELETED, DELETED));
    assertEquals(Care.GIVE_UP, decide(ENCODED, LEFT, CHANGED));
  }

  @Test
  void givesUpWhatNobodyNeeds() {
    assertEquals(Care.GIVE_UP, decide(DELETED, LEFT));
    assertEquals(Care.GIVE_UP, decide(KEPT, KEPT));
    assertEquals(Care.GIVE_UP, decide(KEPT, DELETED));
  }

  @Test
  void marginIsWhatARackMayTakeAndTheCodeCanBear() {
    StripeRules rs63 = StripeRules.of(ErasureCode.named("rs-6-3"));
    assertEquals(2, StripeMaintenance.margin(rs63, 2));
    assertEquals(3, StripeMaintenance.margin(rs63, 9));
    assertEquals(1, StripeMaintenance.margin(rs63, 0));
    assertEquals(3, StripeMaintenance.margin(rs63.withRackLimit(3), 0));
    assertEquals(1, StripeMaintenance.margin(StripeRules.of(ErasureCode.named("rs-2-1")), 2));
  }

  /** Whatever happens to members, what is not given up survives as many failures as promised. */
  @Test
  void noStripeThatStaysIsBelowItsMargin() {
    long seed = System.nanoTime();
    System.out.println("stripes cared for, seed " + seed);
    Random random = MixedRandom.of(seed);
    MemberState[] states = MemberState.values();
    for (int i = 0; i < 20_000; i++) {
      int parity = 1 + random.nextInt(6);
      int margin = 1 + random.nextInt(parity);
      List<MemberState> members = new ArrayList<>();
      for (int member = 1 + random.nextInt(12); member > 0; member--) {
        members.add(states[random.nextInt(states.length)]);
      }
      Care care = StripeMaintenance.decide(members, margin, parity);
      long lost = members.stream().filter(member -> !member.isIntact()).count();
      if (care != Care.GIVE_UP) {
        assertTrue(parity - lost >= margin, () -> members + " of " + parity);
        assertTrue(members.contains(ENCODED));
      }
      if (!members.contains(DELETED) && !members.contains(CHANGED)) {
        assertNotEquals(Care.LET_GO, care);
      }
    }
  }
}
