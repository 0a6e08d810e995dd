package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.RackweaveConfig;
import org.rackweave.hdfs.RootMark;

class ClusterModeTest {
  private final NameNode nameNode = mock(NameNode.class);
  private final PlacementContext context = mock(PlacementContext.class);
  private final RootMark mark = mock(RootMark.class);
  private final ClusterMode mode = new ClusterMode(nameNode, context, mark);
  private String written;
  private FeatureModes inForce = FeatureModes.all(Mode.SHADOW);

  @BeforeEach
  void answer() throws IOException {
    when(nameNode.isActiveState()).thenReturn(true);
    when(context.config()).thenReturn(RackweaveConfig.from(new Configuration(false)));
    when(context.modes()).then(asked -> inForce);
    doAnswer(asked -> inForce = asked.getArgument(0)).when(context).setModes(any());
    when(mark.read()).then(asked -> written);
    writes();
  }

  private void writes() throws IOException {
    doAnswer(asked -> written = asked.getArgument(0)).when(mark).write(anyString());
  }

  /** A word of safe mode is written down by the timer just when another is said. */
  @Test
  void anOlderWordIsNotWrittenOverANewerOne() throws Exception {
    doThrow(new IOException("safe mode")).when(mark).write(anyString());
    mode.say(List.of("active"));
    doAnswer(
            asked -> {
              writes();
              mode.say(List.of("off"));
              written = asked.getArgument(0);
              return null;
            })
        .when(mark)
        .write("active");
    mode.look();
    assertEquals("off", written);
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
}
