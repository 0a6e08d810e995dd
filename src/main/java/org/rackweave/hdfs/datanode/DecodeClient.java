package org.rackweave.hdfs.datanode;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.Semaphore;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.Time;

/**
 * A client's connection to the decode port, and how long it may keep the DataNode waiting: a moment
 * until it has asked, then only while it does not read what it is sent. Sockets have no deadline
 * for writing, and one for reading that each byte puts off; so a late client is cut off by {@link
 * #cutOffIfLate}, from another thread.
 */
final class DecodeClient {
  private static final long NEVER = Long.MAX_VALUE;

  private final Socket socket;
  private final DecodeListener.Limits limits;

  /** Of all connections from this client's address. */
  private final Semaphore turns;

  private volatile long deadlineMs;
  private volatile boolean isGone;
  private long sentBytes;
  private long waitedMs;

  DecodeClient(Socket socket, DecodeListener.Limits limits, Semaphore turns) {
    this.socket = socket;
    this.limits = limits;
    this.turns = turns;
    deadlineMs = Time.monotonicNow() + limits.requestMs();
  }

  Socket socket() {
    return socket;
  }

  Semaphore turns() {
    return turns;
  }

  /** Its request has come; from now on it waits. */
  void hasAsked() {
    deadlineMs = NEVER;
  }

  /** Whether it has hung up, or was cut off: nothing of ours has failed then. */
  boolean isGone() {
    return isGone;
  }

  /** Closes the connection if the client is late, which ends whatever waits for it. */
  boolean cutOffIfLate(long nowMs) {
    if (nowMs < deadlineMs || isGone) {
      return false;
    }
    isGone = true;
    IOUtils.closeSocket(socket);
    return true;
  }

  /** A stream to it that may wait for it no longer than the limits say, at once and in all. */
  OutputStream timed(OutputStream out) {
    return new FilterOutputStream(out) {
      @Override
      public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        sentBytes += length;
        await(() -> out.write(bytes, offset, length));
      }

      @Override
      public void flush() throws IOException {
        await(out::flush);
      }
    };
  }

  private interface Sending {
    void run() throws IOException;
  }

  private void await(Sending sending) throws IOException {
    long beganMs = Time.monotonicNow();
    long leftMs = limits.stallMs() + sentBytes * 1000 / limits.leastBytesPerSec() - waitedMs;
    deadlineMs = beganMs + Math.max(0, Math.min(limits.stallMs(), leftMs));
    try {
      sending.run();
    } catch (IOException e) {
      isGone = true;
      throw e;
    } finally {
      deadlineMs = NEVER;
      waitedMs += Time.monotonicNow() - beganMs;
    }
  }
}
