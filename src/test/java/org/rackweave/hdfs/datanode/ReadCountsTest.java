package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.log4j.Appender;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Category;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rackweave.telemetry.BlockReads;
import org.rackweave.telemetry.HeartbeatReport;
import org.slf4j.LoggerFactory;

class ReadCountsTest {
  private static final String UUID = "uuid-1";
  private static final String POOL = ClientTraceLineTest.POOL;

  private final Logger trace = Logger.getLogger(ReadCountAppender.CLIENT_TRACE);
  private final Category parent = trace.getParent();
  private final Level levelOfParent = parent.getLevel();
  private final Recorder own = new Recorder();
  private final Recorder inherited = new Recorder();
  private final ReadCounts counts = new ReadCounts();
  private final ReadCounts others = new ReadCounts();

  @BeforeEach
  void logAsOperatorsDo() {
    parent.setLevel(Level.INFO);
    parent.addAppender(inherited);
    parent.setAdditivity(false);
  }

  @AfterEach
  void restoreLog() {
    counts.close();
    others.close();
    trace.setLevel(null);
    trace.setAdditivity(true);
    trace.removeAppender(own);
    parent.removeAppender(inherited);
    parent.setLevel(levelOfParent);
    parent.setAdditivity(true);
  }

  @Test
  void countsReadsOfItsDataNodeWhileAskedTo() {
    counts.want(2, UUID, POOL);
    read(UUID, 7);
    read(UUID, 7);
    read(UUID, 8);
    read("uuid-2", 9);
    assertEquals(List.of(new BlockReads(7, 2), new BlockReads(8, 1)), counts.drain());
    assertEquals(List.of(), counts.drain());
  }

  @Test
  void countsWhatAReportWithoutAReplyToldAsMissed() {
    assertEquals(-1, counts.missed());
    counts.want(2, UUID, POOL);
    read(UUID, 7);
    read(UUID, 7);
    counts.drain();
    assertEquals(0, counts.missed());
    read(UUID, 8);
    counts.drain();
    assertEquals(2, counts.missed(), "the report of two reads was lost");
    counts.want(2, UUID, POOL);
    counts.drain();
    assertEquals(0, counts.missed());
  }

  /** Their ids are equal. */
  @Test
  void doesNotCountReadsOfAnotherNamespacesBlocks() {
    counts.want(2, UUID, POOL);
    others.want(2, UUID, "BP-2-10.0.0.4-1");
    read(UUID, 7);
    assertEquals(List.of(new BlockReads(7, 1)), counts.drain());
    assertEquals(List.of(), others.drain());
  }

  @Test
  void leavesTheLogAloneWhenNothingIsAsked() {
    counts.want(0, UUID, POOL);
    assertNull(trace.getLevel());
    assertTrue(trace.getAdditivity());
    assertEquals(List.of(), appenders());
    assertEquals(List.of(), counts.drain());
  }

  @Test
  void doesNotGrowTheLogOfAnOperatorWhoDoesNotLogReads() {
    counts.want(5, UUID, POOL);
    read(UUID, 7);
    assertEquals(List.of(), inherited.messages);
    assertEquals(List.of(new BlockReads(7, 1)), counts.drain());
    assertEquals(0, counts.missed());
  }

  @Test
  void stillLogsWhatTheOperatorLogs() {
    counts.want(5, UUID, POOL);
    LoggerFactory.getLogger(trace.getName()).info("a write");
    assertEquals(List.of("a write"), inherited.messages);
    parent.setLevel(Level.WARN);
    LoggerFactory.getLogger(trace.getName()).info("another");
    assertEquals(List.of("a write"), inherited.messages);
  }

  @Test
  void followsALevelThatIsSetMeanwhile() {
    counts.want(5, UUID, POOL);
    trace.setLevel(Level.DEBUG);
    read(UUID, 7);
    assertEquals(1, inherited.messages.size(), "he wants to see reads");
    assertEquals(List.of(new BlockReads(7, 1)), counts.drain());
    trace.setLevel(Level.WARN);
    read(UUID, 7);
    assertEquals(List.of(), counts.drain());
    assertEquals(HeartbeatReport.UNKNOWN, counts.missed(), "reads are no longer heard of");
    counts.want(0, UUID, POOL);
    assertEquals(Level.WARN, trace.getLevel());
    assertTrue(trace.getAdditivity());
  }

  @Test
  void leavesALevelAloneThatTheOperatorHasSet() {
    trace.setLevel(Level.INFO);
    counts.want(5, UUID, POOL);
    read(UUID, 7);
    assertEquals(Level.INFO, trace.getLevel());
    assertTrue(trace.getAdditivity());
    assertEquals(List.of(), inherited.messages);
    assertEquals(List.of(), counts.drain());
    assertEquals(HeartbeatReport.UNKNOWN, counts.missed());
  }

  @Test
  void leavesAppendersAloneThatTheOperatorHasSet() {
    trace.addAppender(own);
    counts.want(5, UUID, POOL);
    read(UUID, 7);
    LoggerFactory.getLogger(trace.getName()).info("a write");
    assertEquals(List.of("a write"), own.messages);
    assertEquals(List.of("a write"), inherited.messages);
    assertTrue(appenders().contains(own));
    assertEquals(HeartbeatReport.UNKNOWN, counts.missed());
  }

  /** As when a file of settings is read again. */
  @Test
  void isThereAgainAfterTheLogWasConfiguredAnew() {
    counts.want(5, UUID, POOL);
    trace.removeAllAppenders();
    trace.setLevel(null);
    trace.setAdditivity(true);
    read(UUID, 7);
    assertEquals(0, counts.missed(), "looked after with each report");
    read(UUID, 8);
    assertEquals(List.of(new BlockReads(8, 1)), counts.drain());
    assertEquals(List.of(), inherited.messages);
  }

  @Test
  void keepsTheLogOfAnOperatorWhoLogsReads() {
    trace.setLevel(Level.DEBUG);
    trace.addAppender(own);
    counts.want(5, UUID, POOL);
    read(UUID, 7);
    assertEquals(1, own.messages.size());
    assertEquals(1, inherited.messages.size());
    assertTrue(trace.getAdditivity());
    assertEquals(List.of(new BlockReads(7, 1)), counts.drain());
    counts.want(0, UUID, POOL);
    assertEquals(Level.DEBUG, trace.getLevel());
    assertEquals(List.of(own), appenders());
  }

  @Test
  void putsEverythingBackWhenNoLongerAsked() {
    counts.want(5, UUID, POOL);
    assertTrue(trace.isDebugEnabled());
    counts.want(0, UUID, POOL);
    assertNull(trace.getLevel());
    assertTrue(trace.getAdditivity());
    assertEquals(List.of(), appenders());
  }

  @Test
  void keepsCountingForOneNameNodeWhenAnotherNoLongerAsks() {
    counts.want(5, UUID, POOL);
    others.want(3, UUID, POOL);
    others.want(0, UUID, POOL);
    read(UUID, 7);
    assertEquals(List.of(new BlockReads(7, 1)), counts.drain());
    assertEquals(List.of(), others.drain());
    counts.close();
    assertNull(trace.getLevel());
  }

  @Test
  void staysClosedWhenALateReplyAsksAgain() {
    counts.close();
    counts.want(5, UUID, POOL);
    assertEquals(List.of(), appenders());
  }

  private List<Object> appenders() {
    return new ArrayList<>(Collections.list(trace.getAllAppenders()));
  }

  /** Logs as HDFS does, through slf4j. */
  private void read(String datanodeUuid, long blockId) {
    LoggerFactory.getLogger(trace.getName())
        .debug(ClientTraceLineTest.line("HDFS_READ", "client", datanodeUuid, blockId));
  }

  private static final class Recorder extends AppenderSkeleton implements Appender {
    final List<String> messages = new ArrayList<>();

    @Override
    protected void append(LoggingEvent event) {
      messages.add(event.getRenderedMessage());
    }

    @Override
    public void close() {
      messages.add("closed");
    }

    @Override
    public boolean requiresLayout() {
      return false;
    }
  }
}
