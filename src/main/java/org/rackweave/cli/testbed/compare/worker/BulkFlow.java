package org.rackweave.cli.testbed.compare.worker;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.atomic.LongAdder;
import org.rackweave.hdfs.DaemonThreads;

/**
 * One connection of background load. Closing it throws away what it had queued, so that it stops at
 * that moment and not when its queue is empty.
 */
final class BulkFlow implements Closeable {

  private static final int CONNECT_TIMEOUT_MS = 5_000;
  private static final int RETRY_MS = 100;

  private final InetSocketAddress sink;
  private final boolean up;
  private final LongAdder receivedBytes;
  private volatile Socket socket;
  private volatile boolean closed;

  /**
   * @param up whether it sends to the sink rather than receives from it
   * @param receivedBytes counts what it receives
   */
  BulkFlow(InetSocketAddress sink, boolean up, LongAdder receivedBytes) {
    this.sink = sink;
    this.up = up;
    this.receivedBytes = receivedBytes;
    DaemonThreads.of("bulk-flow", this::keepFull).start();
  }

  /** A connection that breaks by itself is made again. */
  private void keepFull() {
    while (!closed) {
      try (Socket attempt = new Socket()) {
        socket = attempt;
        attempt.connect(sink, CONNECT_TIMEOUT_MS);
        attempt.getOutputStream().write(up ? BulkServer.RECEIVE : BulkServer.SEND_TO_ME);
        if (up) {
          BulkServer.send(attempt);
        } else {
          BulkServer.receive(attempt, receivedBytes);
        }
      } catch (IOException cut) {
        pause(closed ? 0 : RETRY_MS);
      }
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    Socket open = socket;
    if (open != null && !open.isClosed()) {
      open.setSoLinger(true, 0);
      open.close();
    }
  }

  /** Waits, or returns at once when the thread is interrupted. */
  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
