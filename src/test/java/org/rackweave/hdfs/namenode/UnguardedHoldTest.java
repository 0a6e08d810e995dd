package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UnguardedHoldTest {
  private final NameNode nameNode = mock(NameNode.class);
  private UnguardedHold hold;

  @BeforeEach
  void survive() {
    ExitUtil.disableSystemExit();
  }

  @AfterEach
  void stop() {
    hold.close();
    ExitUtil.resetFirstExitException();
  }

  private void begin(boolean mayEncode) {
    begin(mayEncode, () -> NameNodeBridge.of(nameNode));
  }

  private void begin(boolean mayEncode, Supplier<NameNodeBridge> bridge) {
    hold =
        new UnguardedHold(nameNode, bridge, "/.rackweave/parity", mayEncode, "Mend it.", () -> {});
    hold.begin();
  }

  /** What kept the guards from starting is likely to keep this from working. */
  @Test
  void aNameNodeThatCannotBeHeldWhateverIsThrownIsEnded() {
    when(nameNode.getConf()).thenThrow(new OutOfMemoryError("injected"));
    assertThrows(ExitUtil.ExitException.class, () -> begin(true));
  }

  /** Its jar may have been repackaged without its services. */
  @Test
  void aNameNodeThatMayEncodeIsEndedWhenNothingLeadsToItsInternals() {
    when(nameNode.isActiveState()).thenReturn(true);
    Supplier<NameNodeBridge> none =
        () -> {
          throw new IllegalStateException("injected");
        };
    assertThrows(ExitUtil.ExitException.class, () -> begin(true, none));
  }

  /** It goes on, is looked at again, and is held then if it has to be. */
  @Test
  void aNameNodeThatWantsNothingEncodedIsNotEndedWhenNobodyCanTellWhatItHas() {
    when(nameNode.getNamesystem()).thenThrow(new OutOfMemoryError("injected"));
    begin(false);
  }
}
