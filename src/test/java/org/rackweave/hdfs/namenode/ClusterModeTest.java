package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.RackweaveConfig;
import org.rackweave.hdfs.RemovedKeys;
import org.rackweave.hdfs.RootMark;

class ClusterModeTest {
  private final NameNode nameNode = mock(NameNode.class);
  private final PlacementContext context = mock(PlacementContext.class);
  private final RootMark mark = mock(RootMark.class);
  private final RootMark eafrPaused = mock(RootMark.class);
  private final ClusterMode mode = new ClusterMode(nameNode, context, mark, eafrPaused);
  private String paused;
  private String written;
  private FeatureModes inForce = FeatureModes.all(Mode.SHADOW);

  @BeforeEach
  void answer() throws IOException {
    when(nameNode.isActiveState()).thenReturn(true);
    when(context.config()).thenReturn(RackweaveConfig.from(new Configuration(false)));
    when(context.modes()).then(asked -> inForce);
    doAnswer(asked -> inForce = asked.getArgument(0)).when(context).setModes(any());
    when(mark.read()).then(asked -> written);
    when(eafrPaused.read()).then(asked -> paused);
    doAnswer(asked -> paused = asked.getArgument(0)).when(eafrPaused).write(null);
    writes();
  }

  private void writes() throws IOException {
    doAnswer(asked -> written = asked.getArgument(0)).when(mark).write(anyString());
  }

  /** A word of safe mode is written down by the timer just when another is said. */
  @Test
  void anOlderWordIsNotWrittenOverANewerOne() throws Exception {
    doThrow(new IOException("safe mode")).when(mark).write(anyString());
    assertThrows(IllegalStateException.class, () -> mode.say(List.of("active")));
    doAnswer(
            asked -> {
              writes();
              mode.say(List.of("off"));
              written = asked.getArgument(0);
              return null;
            })
        .when(mark)
        .write(FeatureModes.all(Mode.ACTIVE).inFull());
    mode.look();
    assertEquals(FeatureModes.all(Mode.OFF).inFull(), written);
    assertEquals(FeatureModes.all(Mode.OFF), inForce);
  }

  @Test
  void whatIsReadWhileAnotherWordIsSaidDoesNotUndoThat() throws Exception {
    written = "active";
    when(mark.read())
        .then(
            asked -> {
              String before = written;
              mode.say(List.of("off"));
              return before;
            });
    mode.look();
    assertEquals(FeatureModes.all(Mode.OFF), inForce);
  }

  @Test
  void aWordThatCouldNotBeFollowedIsFollowedAtTheNextLook() throws Exception {
    written = "shadow";
    doThrow(new OutOfMemoryError("injected")).when(context).setModes(any());
    assertThrows(OutOfMemoryError.class, mode::look);
    doAnswer(asked -> inForce = asked.getArgument(0)).when(context).setModes(any());
    mode.look();
    assertEquals(FeatureModes.all(Mode.SHADOW), inForce);
  }

  /** In an earlier version a key switched Dayu on, whatever the modes were. */
  @Test
  void anEarlierVersionsMarkDoesNotSwitchDayuOn() throws Exception {
    for (String mark : List.of("active", "placement=active recovery=active heat=off")) {
      written = mark;
      mode.look();
      assertTrue(inForce.isActive(Feature.PLACEMENT));
      assertEquals(Mode.SHADOW, inForce.of(Feature.RECOVERY), mark);
    }
    Configuration conf = new Configuration(false);
    conf.setBoolean(RemovedKeys.DAYU_ENABLED, true);
    when(context.config()).thenReturn(RackweaveConfig.from(conf));
    mode.configured();
    assertTrue(inForce.isActive(Feature.RECOVERY));
  }

  /** The configuration may say more: it was written before. */
  @Test
  void whatAnEarlierVersionHeldInShadowStaysThere() throws Exception {
    Configuration conf = new Configuration(false);
    conf.set(ConfigKeys.MODE, "active");
    when(context.config()).thenReturn(RackweaveConfig.from(conf));
    written = "shadow";
    mode.look();
    assertEquals(FeatureModes.all(Mode.SHADOW), inForce);
  }

  @Test
  void aMarkOfOneWordSwitchesRecoveryOff() throws Exception {
    written = "off";
    mode.look();
    assertEquals(FeatureModes.all(Mode.OFF), inForce);
  }

  @Test
  void whatIsSaidNowCoversRecovery() throws Exception {
    mode.say(List.of("active"));
    mode.look();
    assertEquals(FeatureModes.all(Mode.ACTIVE), inForce);
  }

  @Test
  void anEarlierVersionsPauseBecomesModes() throws Exception {
    written = "active";
    paused = "";
    mode.look();
    assertTrue(inForce.isOff(Feature.HEAT));
    assertEquals(Mode.SHADOW, inForce.of(Feature.SLEEP));
    assertTrue(inForce.isActive(Feature.PLACEMENT));
    mode.look();
    mode.look();
    assertNull(paused);
    assertEquals(inForce.inFull(), written);
    assertTrue(inForce.isOff(Feature.HEAT));
  }

  /** While the NameNodes are upgraded one by one. */
  @Test
  void aStandbyForgetsAPauseThatIsTakenBack() throws Exception {
    when(nameNode.isActiveState()).thenReturn(false);
    written = "active";
    mode.look();
    FeatureModes before = inForce;
    paused = "";
    mode.look();
    assertTrue(inForce.isOff(Feature.HEAT));
    paused = null;
    mode.look();
    assertEquals(before, inForce);
  }

  /** Both are edits of one call, of which HDFS would take the second for the first again. */
  @Test
  void sayingWritesOneMark() throws Exception {
    paused = "";
    mode.look();
    paused = "";
    mode.say(List.of("heat=active"));
    assertEquals("", paused);
    mode.look();
    mode.look();
    assertNull(paused);
    assertTrue(inForce.isActive(Feature.HEAT));
  }

  @Test
  void whatCouldNotBeReadAtTheStartIsReadLater() throws Exception {
    written = "active";
    when(eafrPaused.read()).thenThrow(new IOException("injected")).then(asked -> paused);
    try (mode) {
      synchronized (mode) { // the timer's first look waits
        mode.start();
        assertEquals(FeatureModes.all(Mode.OFF), inForce);
      }
    }
    mode.look();
    assertTrue(inForce.isActive(Feature.HEAT));
  }

  /** It follows at once, and leaves the writing to the one that is active. */
  @Test
  void aStandbyFollowsAnEarlierVersionsPause() throws Exception {
    when(nameNode.isActiveState()).thenReturn(false);
    written = "active";
    paused = "";
    mode.look();
    assertTrue(inForce.isOff(Feature.HEAT));
    mode.look();
    assertTrue(inForce.isOff(Feature.HEAT));
    assertEquals("", paused);
    assertEquals("active", written);
  }

  @Test
  void aPauseDoesNotWakeWhatIsOff() throws Exception {
    written = "off";
    paused = "";
    mode.look();
    assertEquals(FeatureModes.all(Mode.OFF), inForce);
  }

  /** Safe mode has left the pause where it was, and an operator has said otherwise since. */
  @Test
  void whatIsSaidAfterAPauseGoesBeforeIt() throws Exception {
    when(nameNode.isInSafeMode()).thenReturn(true);
    doThrow(new IOException("safe mode")).when(mark).write(anyString());
    paused = "";
    mode.look();
    assertTrue(inForce.isOff(Feature.HEAT));
    assertThrows(IllegalStateException.class, () -> mode.say(List.of("heat=active")));
    mode.look();
    assertTrue(inForce.isActive(Feature.HEAT));
    when(nameNode.isInSafeMode()).thenReturn(false);
    writes();
    mode.look();
    assertTrue(inForce.isActive(Feature.HEAT));
    assertNull(paused);
  }

  /** Extended attributes were switched off after the pause was kept. */
  @Test
  void aPauseHoldsHereWhereNothingCanBeWritten() throws Exception {
    doThrow(new UnsupportedOperationException("no xattrs")).when(mark).write(anyString());
    paused = "";
    for (int look = 0; look < 4; look++) {
      mode.look();
      assertTrue(inForce.isOff(Feature.HEAT));
    }
    assertEquals("", paused);
  }
}
