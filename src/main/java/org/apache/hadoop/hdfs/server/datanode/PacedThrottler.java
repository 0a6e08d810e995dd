package org.apache.hadoop.hdfs.server.datanode;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hdfs.util.Canceler;
import org.apache.hadoop.hdfs.util.DataTransferThrottler;
import org.rackweave.hdfs.datanode.Pace;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;

/**
 * Bridge: holds one transfer to its pace, besides what holds all of them. Another transfer that is
 * made in the very moment in which this one is has it too; it is let through.
 *
 * <p>A cancelled transfer is ended by an error in its own thread, between two packets. HDFS does
 * with it what it does when the connection breaks: it closes the connection and logs a warning, and
 * the receiver, which waits for the packet that says that the block is complete, throws away what
 * it has. Neither replica is suspected of anything.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // the pace has a lock of its own
final class PacedThrottler extends DataTransferThrottler {
  private final DataTransferThrottler usual;
  private final Pace pace;
  private final AtomicReference<Thread> owner = new AtomicReference<>();

  /**
   * @param usual what holds all transfers, {@code null} for nothing
   */
  PacedThrottler(DataTransferThrottler usual, Pace pace) {
    super(Integer.MAX_VALUE);
    this.usual = usual;
    this.pace = pace;
  }

  @Override
  public void throttle(long bytes) {
    throttle(bytes, null);
  }

  @Override
  public void throttle(long bytes, Canceler canceler) {
    if (usual != null) {
      usual.throttle(bytes, canceler);
    }
    Thread asking = Thread.currentThread();
    if (owner.compareAndSet(null, asking) || owner.get() == asking) {
      IOException ended = HookGuard.call(Hook.TRANSFER_PACE, null, () -> pass(bytes));
      if (ended != null) {
        throw PacedThrottler.<RuntimeException>asHdfsWants(ended);
      }
    }
  }

  private IOException pass(long bytes) {
    try {
      pace.pass(bytes);
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  /**
   * An error of a connection, through a method that declares none: HDFS expects those where it
   * sends, and takes others for its own.
   */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception> E asHdfsWants(IOException e) throws E {
    throw (E) e;
  }

  @Override
  public long getBandwidth() {
    return usual == null ? Long.MAX_VALUE : usual.getBandwidth();
  }

  @Override
  public void setBandwidth(long bytesPerSecond) {
    if (usual != null) {
      usual.setBandwidth(bytesPerSecond);
    }
  }
}
