package org.rackweave.hdfs.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rackweave.dayu.RecoveryGoal.Work;
import org.rackweave.hdfs.RootMark;

class RecoveryGoalsTest {
  private static final double HOUR_SEC = 3600;

  private final NameNode nameNode = mock(NameNode.class);
  private final List<String> events = new ArrayList<>();
  private String keptGoal;
  private String keptCalendar;
  private String whyNot;
  private boolean isDone;
  private long arrived;
  private Work work = new Work(0, 100 * HOUR_SEC, 0.1);
  private RecoveryGoals goals;
  private RootMark goalMark;

  @BeforeEach
  void start() throws IOException {
    when(nameNode.isActiveState()).thenReturn(true);
    goalMark = mock(RootMark.class);
    when(goalMark.read()).then(any -> keptGoal);
    doAnswer(asked -> keptGoal = asked.getArgument(0)).when(goalMark).write(any());
    RootMark calendarMark = mock(RootMark.class);
    when(calendarMark.read()).then(any -> keptCalendar);
    doAnswer(asked -> keptCalendar = asked.getArgument(0)).when(calendarMark).write(any());
    goals = new RecoveryGoals(nameNode, new FakeRecovery(), events::add, goalMark, calendarMark);
  }

  private final class FakeRecovery implements RecoveryGoals.Recovery {
    @Override
    public String whyNot() {
      return whyNot;
    }

    @Override
    public boolean isDone() {
      return isDone;
    }

    @Override
    public long arrived() {
      return arrived;
    }

    @Override
    public Work work() {
      return work;
    }

    @Override
    public double shareTaken() {
      return Double.NaN;
    }
  }

  private String refusal(String... words) {
    return assertThrows(RuntimeException.class, () -> goals.answer(List.of(words))).getMessage();
  }

  @Test
  void refusesWhatIsInfeasibleAndNamesTheBestThatIsNot() {
    String said = refusal("goal", "done-by=06:00", "max-interference=2%");
    assertTrue(said.startsWith("it cannot be done by 20"), said);
    assertTrue(said.contains("06:00"), said);
    assertTrue(said.contains("of at most 2.00%: with that it takes more than a week"), said);
    assertTrue(said.endsWith("; by then it is done with none"), said);
    work = new Work(0, HOUR_SEC, 0.1);
    String inTwoHours = LocalTime.now().plusHours(2).format(DateTimeFormatter.ofPattern("HH:mm"));
    said = refusal("goal", "done-by=" + inTwoHours, "max-interference=2%");
    assertTrue(said.contains(" at the earliest; by then it is done with 5.0"), said);
    assertEquals(null, keptGoal);
    work = null;
    assertEquals("no goal can be set now: no plan is made yet", refusal("goal", "done-by=06:00"));
    whyNot = "stock does it";
    assertEquals("no goal can be set now: stock does it", refusal("goal", "done-by=06:00"));
  }

  @Test
  void aGoalHoldsNoMoreBackThanItMay() throws IOException {
    goals.look();
    assertEquals(1, goals.share());
    keptGoal = Time.now() + 3_600_000 + " 1.0";
    work = new Work(0, HOUR_SEC / 4, 0);
    goals.look();
    assertEquals(0.25, goals.share(), 0.001);
    work = new Work(0, 2 * HOUR_SEC, 0);
    goals.look();
    assertEquals(1, goals.share(), "it cannot be reached any more");
    work = null;
    goals.look();
    assertEquals(1, goals.share());
    keptGoal = "tomorrow";
    keptCalendar = "always";
    goals.look();
    assertEquals(1, goals.share(), "nobody can read them");
    keptCalendar = "00:00-24:00=40%";
    goals.look();
    assertEquals(0.4, goals.share());
  }

  @Test
  void aGoalOutOfReachIsToldOfOnceAndHoldsBackNoMoreThanItMay() throws IOException {
    keptGoal = Time.now() + 3_600_000 + " 0.00001";
    goals.look();
    goals.look();
    assertEquals(0.05, goals.share());
    assertEquals(1, events.size());
    assertTrue(events.get(0).startsWith("recovery goal out of reach: done by "), events::toString);
  }

  @Test
  void anEndThatCannotBeWrittenDownEndsItAllTheSame() throws IOException {
    keptGoal = Time.now() + 3_600_000 + " 1.0";
    work = new Work(0, HOUR_SEC / 4, 0);
    goals.look();
    assertEquals(0.25, goals.share(), 0.001);
    isDone = true;
    arrived = 3;
    doThrow(new IOException("disk full")).when(goalMark).write(any());
    assertThrows(IOException.class, () -> goals.look());
    assertEquals(1, goals.share());
    isDone = false;
    assertThrows(IOException.class, () -> goals.look());
    assertEquals(1, goals.share());
    assertEquals(List.of(), events);
    doAnswer(asked -> keptGoal = asked.getArgument(0)).when(goalMark).write(any());
    goals.look();
    assertTrue(events.get(0).startsWith("recovery goal reached: done by "), events::toString);
    assertEquals(null, keptGoal);
  }

  @Test
  void aGoalIsReachedWhenAllHasArrived() throws IOException {
    work = new Work(0, HOUR_SEC, 0);
    keptGoal = Time.now() + 3_600_000 + " 1.0";
    isDone = true;
    goals.look();
    assertEquals(List.of(), events, "nothing was there to do");
    arrived = 3;
    isDone = false;
    goals.look();
    assertEquals(List.of(), events);
    isDone = true;
    doThrow(new IOException("safe mode")).when(goalMark).write(any());
    assertThrows(IOException.class, () -> goals.look());
    assertEquals(List.of(), events);
    doAnswer(asked -> keptGoal = asked.getArgument(0)).when(goalMark).write(any());
    goals.look();
    goals.look();
    assertEquals(1, events.size());
    assertTrue(events.get(0).startsWith("recovery goal reached: done by "), events::toString);
    assertEquals(null, keptGoal);
  }

  @Test
  void aGoalIsMissedWhenItsTimeHasCome() throws IOException {
    keptGoal = Time.now() - 1 + " 0.02";
    when(nameNode.isActiveState()).thenReturn(false);
    goals.look();
    assertEquals(List.of(), events, "that is the active NameNode's to say");
    when(nameNode.isActiveState()).thenReturn(true);
    goals.look();
    assertTrue(events.get(0).startsWith("recovery goal missed: done by "), events::toString);
    assertEquals(null, keptGoal);
  }

  @Test
  void namesWhatMakesNoSense() {
    assertTrue(refusal("goal", "done-by=late").startsWith("done-by 'late': allowed is HH:MM"));
    assertTrue(
        refusal("goal", "done-by=06:00", "max-interference=2")
            .startsWith("max-interference '2': allowed is above 0% to 100%"));
    assertTrue(refusal("goal", "max-interference=2%").contains("with done-by"));
    assertTrue(refusal("calendar", "set=never").startsWith("calendar 'never': allowed is"));
    assertTrue(refusal("calendar", "when=x").contains("'when=x': allowed is key=value"));
  }
}
