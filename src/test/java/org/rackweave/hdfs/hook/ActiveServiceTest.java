package org.rackweave.hdfs.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ActiveServiceTest {
  private final NameNode nameNode = mock(NameNode.class);
  private final FSNamesystem namesystem = mock(FSNamesystem.class);
  private final List<String> done = new ArrayList<>();
  private boolean restFails;
  private final ActiveService service =
      new ActiveService(
          nameNode,
          () -> {
            done.add("rest");
            if (restFails) {
              throw new IllegalStateException("cannot rest");
            }
          },
          term -> done.add("work " + term));

  @BeforeEach
  void standby() {
    when(nameNode.getNamesystem()).thenReturn(namesystem);
    transition(false, 1);
  }

  private void transition(boolean isActive, long atMs) {
    when(nameNode.isActiveState()).thenReturn(isActive);
    when(nameNode.getLastHATransitionTime()).thenReturn(atMs);
  }

  /** What one more tick does. */
  private List<String> tick() throws Exception {
    done.clear();
    service.tick();
    return List.copyOf(done);
  }

  @Test
  void worksInATermOnlyAndRestsBeforeIt() throws Exception {
    assertEquals(List.of("rest"), tick());
    assertEquals(List.of("rest"), tick());
    transition(true, 2);
    assertEquals(List.of("rest", "work 2"), tick());
    assertEquals(List.of("work 2"), tick());
    transition(false, 3);
    assertEquals(List.of("rest"), tick());
  }

  @Test
  void restsBetweenTwoTermsThatNoTickComesBetween() throws Exception {
    transition(true, 2);
    tick();
    transition(true, 5);
    assertFalse(service.isCurrent(), "at once, for any thread");
    assertEquals(List.of("rest", "work 5"), tick());
    assertTrue(service.isCurrent());
  }

  /** HDFS says that it is active before it says since when. */
  @Test
  void restsWhileTheNameNodeBecomesActive() throws Exception {
    transition(true, 2);
    tick();
    when(namesystem.inTransitionToActive()).thenReturn(true);
    assertFalse(service.isCurrent());
    assertEquals(List.of("rest"), tick());
    when(namesystem.inTransitionToActive()).thenReturn(false);
    transition(true, 7);
    assertEquals(List.of("rest", "work 7"), tick());
  }

  @Test
  void doesNothingElseUntilItHasRested() throws Exception {
    transition(true, 2);
    restFails = true;
    assertThrows(IllegalStateException.class, this::tick);
    assertThrows(IllegalStateException.class, this::tick);
    assertEquals(List.of("rest"), done);
    assertFalse(service.isCurrent());
    restFails = false;
    assertEquals(List.of("rest", "work 2"), tick());
  }

  /** A NameNode without another one is active since it has started, and HDFS says 0. */
  @Test
  void oneOfASingleNameNodeWorksFromTheStart() throws Exception {
    transition(true, 0);
    assertEquals(List.of("rest", "work 0"), tick());
    assertTrue(service.isCurrent());
  }

  /**
   * HDFS says that a NameNode is active before it names the new term, and holds its lock meanwhile.
   */
  @Test
  void waitsForTheEndOfAChangeOfState() throws Exception {
    transition(true, 1);
    doAnswer(
            asked -> {
              transition(true, 2);
              return null;
            })
        .when(namesystem)
        .readLock();
    assertEquals(List.of("rest", "work 2"), tick());
  }
}
