package org.rackweave.hdfs.datanode;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongConsumer;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.log4j.Appender;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Category;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;

/**
 * Learns of block reads from the DataNode's client trace, the only place where HDFS tells them one
 * by one. It is in the log only while somebody wants to know.
 *
 * <p>HDFS writes these lines at DEBUG. When the operator does not log them, this appender turns
 * DEBUG on and stands between the logger and all its other appenders: they get exactly what they
 * would have got, and the log does not grow. The last subscriber to leave puts everything back.
 */
final class ReadCountAppender extends AppenderSkeleton {

  /** Name of the logger, a class name and a suffix in HDFS. */
  static final String CLIENT_TRACE = DataNode.class.getName() + ".clienttrace";

  private static ReadCountAppender installed;

  private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
  private final Logger logger = Logger.getLogger(CLIENT_TRACE);
  private final List<Appender> displaced = new ArrayList<>();
  private final boolean wasAdditive = logger.getAdditivity();
  private final Level ownLevel = logger.getLevel();
  private final Level effectiveLevel = logger.getEffectiveLevel();
  private final boolean silent = !logger.isDebugEnabled();

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

    @Override
    public void close() {
      unsubscribe(this);
    }
  }

  private ReadCountAppender() {
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
      installed = new ReadCountAppender();
      installed.install();
    }
    Subscription subscription = new Subscription(datanodeUuid, blockPool, onRead);
    installed.subscriptions.add(subscription);
    return subscription;
  }

  private static synchronized void unsubscribe(Subscription subscription) {
    if (installed != null
        && installed.subscriptions.remove(subscription)
        && installed.subscriptions.isEmpty()) {
      installed.uninstall();
      installed = null;
    }
  }

  private void install() {
    if (silent) {
      for (Object appender : Collections.list(logger.getAllAppenders())) {
        displaced.add((Appender) appender);
        logger.removeAppender((Appender) appender);
      }
      logger.setAdditivity(false);
    }
    logger.addAppender(this);
    if (silent) {
      logger.setLevel(Level.DEBUG);
    }
  }

  private void uninstall() {
    // The operator may have changed the level meanwhile; that choice stands.
    if (silent && Level.DEBUG.equals(logger.getLevel())) {
      logger.setLevel(ownLevel);
    }
    logger.removeAppender(this);
    if (silent) {
      logger.setAdditivity(wasAdditive);
      displaced.forEach(logger::addAppender);
    }
  }

  @Override
  protected void append(LoggingEvent event) {
    HookGuard.run(Hook.READ_COUNTS, () -> count(ClientTraceLine.parse(event.getRenderedMessage())));
    if (silent && event.getLevel().isGreaterOrEqual(effectiveLevel)) {
      displaced.forEach(appender -> appender.doAppend(event));
      Category parent = logger.getParent();
      if (wasAdditive && parent != null) {
        parent.callAppenders(event);
      }
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
