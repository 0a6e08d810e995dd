package org.rackweave.hdfs.datanode;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.Time;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Category;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.slf4j.LoggerFactory;

/**
 * Learns of block reads from the DataNode's client trace, the only place where HDFS names them one
 * by one. It is in the log only while somebody wants to know.
 *
 * <p>HDFS writes these lines at DEBUG. What an operator has set for this logger stands: a level, an
 * appender, or that nothing is passed on. Where nothing is set for it, this appender turns DEBUG on
 * and passes on to the logger's parents what they would have got without it, so that no log grows.
 * Where something is set that keeps DEBUG off, no read is heard of.
 */
final class ReadCountAppender extends AppenderSkeleton {

  /** Name of the logger, a class name and a suffix in HDFS. */
  static final String CLIENT_TRACE = DataNode.class.getName() + ".clienttrace";

  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(ReadCountAppender.class);

  /** DEBUG, told apart from what an operator may set meanwhile. */
  private static final Level OURS =
      new Level(Level.DEBUG_INT, "DEBUG", Level.DEBUG.getSyslogEquivalent()) {};

  private static final LogThrottle DEAF_LOG =
      new LogThrottle(TimeUnit.HOURS.toMillis(1), Time::monotonicNow);

  private static ReadCountAppender installed;

  private final List<Subscription> subscriptions;
  private final Logger logger = Logger.getLogger(CLIENT_TRACE);
  private final boolean turnsDebugOn = !logger.isDebugEnabled() && isNothingSet(logger);

  /**
   * One counter of one DataNode's reads of one namespace's blocks; closing it ends the counting.
   */
  static final class Subscription implements AutoCloseable {
    private final String datanodeUuid;
    private final String blockPool;
    private final LongConsumer onRead;

    private Subscription(String datanodeUuid, String blockPool, LongConsumer onRead) {
      this.datanodeUuid = datanodeUuid;
      this.blockPool = blockPool;
      this.onRead = onRead;
    }

    /**
     * Whether there is anything to count. Looks after the appender, too, which is gone after an
     * operator has had the log's configuration read again.
     */
    boolean isHeard() {
      return lookAfter();
    }

    @Override
    public void close() {
      unsubscribe(this);
    }
  }

  private ReadCountAppender(List<Subscription> subscriptions) {
    this.subscriptions = subscriptions;
    setName("rackweave-read-counts");
  }

  /**
   * Calls back with the block id of every read that a DataNode of this process has served of one
   * namespace's blocks.
   *
   * @param onRead called by the threads that serve reads; must be quick and thread-safe
   */
  static synchronized Subscription subscribe(
      String datanodeUuid, String blockPool, LongConsumer onRead) {
    if (installed == null) {
      installed = new ReadCountAppender(new CopyOnWriteArrayList<>());
      installed.install();
    }
    Subscription subscription = new Subscription(datanodeUuid, blockPool, onRead);
    installed.subscriptions.add(subscription);
    return subscription;
  }

  private static synchronized boolean lookAfter() {
    if (installed == null) {
      return false;
    }
    if (!installed.logger.isAttached(installed)) {
      installed = new ReadCountAppender(installed.subscriptions);
      installed.install();
    }
    return installed.logger.isDebugEnabled();
  }

  private static synchronized void unsubscribe(Subscription subscription) {
    if (installed != null
        && installed.subscriptions.remove(subscription)
        && installed.subscriptions.isEmpty()) {
      installed.uninstall();
      installed = null;
    }
  }

  private static boolean isNothingSet(Logger logger) {
    return !logger.getLoggerRepository().isDisabled(Level.DEBUG_INT)
        && logger.getLevel() == null
        && logger.getAdditivity()
        && logger.getParent() != null
        && !logger.getAllAppenders().hasMoreElements();
  }

  private void install() {
    if (turnsDebugOn) {
      logger.setAdditivity(false);
    }
    logger.addAppender(this);
    if (turnsDebugOn) {
      logger.setLevel(OURS);
    }
    if (!logger.isDebugEnabled() && DEAF_LOG.shouldLog()) {
      LOG.warn(
          "Block reads are not counted: a level or an appender of {} is configured, and DEBUG"
              + " is off. Set it to DEBUG to count reads.",
          CLIENT_TRACE);
    }
  }

  private void uninstall() {
    if (logger.getLevel() == OURS) {
      logger.setLevel(null);
    }
    if (turnsDebugOn && logger.isAttached(this)) {
      logger.setAdditivity(true);
    }
    logger.removeAppender(this);
  }

  @Override
  protected void append(LoggingEvent event) {
    HookGuard.run(Hook.READ_COUNTS, () -> count(ClientTraceLine.parse(event.getRenderedMessage())));
    if (turnsDebugOn) {
      HookGuard.run(Hook.READ_COUNTS, () -> passOn(event));
    }
  }

  private void passOn(LoggingEvent event) {
    Category parent = logger.getParent();
    boolean isLeftToParents = logger.getLevel() == OURS;
    if (!isLeftToParents || event.getLevel().isGreaterOrEqual(parent.getEffectiveLevel())) {
      parent.callAppenders(event);
    }
  }

  private void count(ClientTraceLine read) {
    if (read == null) {
      return;
    }
    for (Subscription subscription : subscriptions) {
      if (subscription.datanodeUuid.equals(read.datanodeUuid())
          && subscription.blockPool.equals(read.blockPool())) {
        subscription.onRead.accept(read.blockId());
      }
    }
  }

  @Override
  public void close() {
    // Holds nothing.
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }
}
