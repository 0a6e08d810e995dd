package org.rackweave.hdfs;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes threads that keep no process from ending, and bear a name in its thread dumps. */
public final class DaemonThreads {
  private DaemonThreads() {}

  /** One that has yet to be started. */
  public static Thread of(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /** For a pool of one thread: whichever it is, it bears the name. */
  public static ThreadFactory named(String name) {
    return work -> of(name, work);
  }

  /** For a pool of several: they are {@code name-1}, {@code name-2} and so on. */
  public static ThreadFactory numbered(String name) {
    AtomicInteger made = new AtomicInteger();
    return work -> of(name + "-" + made.incrementAndGet(), work);
  }
}
