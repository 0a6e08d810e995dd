package org.rackweave.cli.demo.cluster;

import java.io.Closeable;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.log4j.Appender;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/**
 * Counts the bytes of blocks that go from rack to rack, by what HDFS's DataNodes log: their client
 * trace tells of every read and of every write, hop by hop, and their own log of every block that
 * another DataNode has sent. Clients outside the cluster are in no rack. The Balancer's moves are
 * not counted.
 */
public final class BlockTraffic extends AppenderSkeleton implements Closeable {

  private static final Pattern OF_CLIENT =
      Pattern.compile(
          "src: /?([0-9.]+):\\d+, dest: /?([0-9.]+):\\d+, .*?bytes: (\\d+), op: HDFS_(?:READ|WRITE)");

  private static final Pattern OF_DATANODE =
      Pattern.compile(
          "Received \\S+ src: /?([0-9.]+):\\d+ dest: /?([0-9.]+):\\d+ .*of size (\\d+)");

  private final Log dataNodes = new Log(DataNode.class.getName(), Level.INFO);

  /** DataNodes tell of reads at that level. */
  private final Log clients = new Log(DataNode.class.getName() + ".clienttrace", Level.DEBUG);

  private final LongAdder crossRackBytes = new LongAdder();

  /** A log that is for this alone until it is given back. */
  private static final class Log {
    private final Logger logger;
    private final Level level;
    private final Level levelBefore;
    private final boolean additivityBefore;

    Log(String name, Level level) {
      this.logger = Logger.getLogger(name);
      this.level = level;
      this.levelBefore = logger.getLevel();
      this.additivityBefore = logger.getAdditivity();
    }

    void take(Appender appender) {
      logger.addAppender(appender);
      logger.setAdditivity(false);
      logger.setLevel(level);
    }

    void giveBack(Appender appender) {
      logger.removeAppender(appender);
      logger.setLevel(levelBefore);
      logger.setAdditivity(additivityBefore);
    }
  }

  private BlockTraffic() {
    setName("block-traffic");
  }

  /** Begins to count, for all clusters of this process. */
  public static BlockTraffic count() {
    BlockTraffic traffic = new BlockTraffic();
    traffic.dataNodes.take(traffic);
    traffic.clients.take(traffic);
    return traffic;
  }

  @Override
  protected void append(LoggingEvent event) {
    crossRackBytes.add(crossRackBytes(event.getRenderedMessage()));
  }

  /** What a line adds. */
  static long crossRackBytes(String line) {
    Matcher matcher = (line.startsWith("Received ") ? OF_DATANODE : OF_CLIENT).matcher(line);
    if (!matcher.lookingAt()) {
      return 0;
    }
    int from = LoopbackAddresses.rackOf(matcher.group(1));
    int to = LoopbackAddresses.rackOf(matcher.group(2));
    return from >= 0 && to >= 0 && from != to ? Long.parseLong(matcher.group(3)) : 0;
  }

  /** Bytes from rack to rack so far; a transfer counts when it ends. */
  public long crossRackBytes() {
    return crossRackBytes.sum();
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }

  /** Ends it once: log4j closes what nobody refers to any more, whatever has become of it. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    clients.giveBack(this);
    dataNodes.giveBack(this);
  }
}
