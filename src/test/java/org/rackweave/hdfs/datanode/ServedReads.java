package org.rackweave.hdfs.datanode;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/**
 * The reads that DataNodes of this process serve to each other, as HDFS's own trace has them: which
 * DataNode sent which block to which address. What Rackweave counts plays no part in it.
 */
public final class ServedReads extends AppenderSkeleton implements AutoCloseable {
  private static final Pattern SERVED =
      Pattern.compile("datanodeUuid=([^,]+),.* Served block \\S+:blk_(\\d+)_\\d+ to /([0-9.]+):.*");

  private final Logger trace = Logger.getLogger(ReadCountAppender.CLIENT_TRACE);
  private final Level levelBefore = trace.getLevel();
  private final boolean additiveBefore = trace.getAdditivity();
  private final List<Read> reads = new CopyOnWriteArrayList<>();

  /**
   * One read of a DataNode.
   *
   * @param datanodeUuid the DataNode that was read from
   * @param reader address of the one that read
   */
  public record Read(String datanodeUuid, long blockId, String reader) {}

  /** Listens from now on; the lines go nowhere else meanwhile. */
  public ServedReads() {
    trace.setLevel(Level.DEBUG);
    trace.setAdditivity(false);
    trace.addAppender(this);
  }

  /** All so far. */
  public List<Read> reads() {
    return List.copyOf(reads);
  }

  @Override
  protected void append(LoggingEvent event) {
    Matcher served = SERVED.matcher(event.getRenderedMessage());
    if (served.find()) {
      reads.add(new Read(served.group(1), Long.parseLong(served.group(2)), served.group(3)));
    }
  }

  /** Log4j closes appenders once more when they are collected, while others may be listening. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    trace.removeAppender(this);
    trace.setAdditivity(additiveBefore);
    trace.setLevel(levelBefore);
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }
}
