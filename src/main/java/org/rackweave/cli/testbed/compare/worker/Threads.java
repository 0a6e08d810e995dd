package org.rackweave.cli.testbed.compare.worker;

import java.util.concurrent.ThreadFactory;

/** Threads that end with the process. */
final class Threads {

  private Threads() {}

  static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  static ThreadFactory daemons(String name) {
    return work -> daemon(name, work);
  }

  /** Waits, or returns at once when the thread is interrupted. */
  static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
