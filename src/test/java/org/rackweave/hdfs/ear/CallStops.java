package org.rackweave.hdfs.ear;

import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.rackweave.hdfs.namenode.NameNodeBridge;
import org.rackweave.hdfs.namenode.RackweaveNameNodePlugin;

/** Stops encoding at a call of its NameNode, for as long as a test likes, or for ever. */
public final class CallStops implements AutoCloseable {
  private static final long DEADLINE_SECONDS = 120;

  private static volatile CallStops installed;

  /**
   * A call that is about to be made, or has just been.
   *
   * @param isOver whether it has been answered
   * @param before the method that this thread called before, empty at first
   * @param target its first argument, which mostly is a path
   */
  public record Call(
      NameNode nameNode, String method, boolean isOver, String before, String target) {
    public boolean begins(String name) {
      return !isOver && method.equals(name);
    }

    public boolean ended(String name) {
      return isOver && method.equals(name);
    }
  }

  /** One call that has been stopped; no other is. */
  public final class Stop implements AutoCloseable {
    private final Predicate<Call> where;
    private final Runnable atOnce;
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile Call call;

    private Stop(Predicate<Call> where, Runnable atOnce) {
      this.where = where;
      this.atOnce = atOnce;
    }

    /** Waits until work stands still there. */
    public Call await(String what) throws InterruptedException {
      if (!reached.await(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("still waiting for: " + what);
      }
      return call;
    }

    public boolean isReached() {
      return reached.getCount() == 0;
    }

    private void at(Call now) {
      call = now;
      atOnce.run();
      reached.countDown();
      awaitUninterrupted(released);
    }

    /** Lets it go on, unless its NameNode is dead. */
    @Override
    public void close() {
      stop = stop == this ? null : stop;
      released.countDown();
    }
  }

  private final Set<NameNode> dead = Collections.newSetFromMap(new WeakHashMap<>());
  private final ThreadLocal<String> before = ThreadLocal.withInitial(() -> "");
  private volatile Stop stop;

  private CallStops() {}

  /** NameNodes of this configuration that start from now on can be stopped. */
  public static CallStops install(Configuration conf) {
    installed = new CallStops();
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, StoppedPlugin.class.getName());
    return installed;
  }

  /** The plugin of NameNodes that can be stopped; HDFS makes it. */
  public static final class StoppedPlugin extends RackweaveNameNodePlugin {
    @Override
    protected NameNodeBridge bridgeTo(NameNode started) {
      return installed.stoppable(super.bridgeTo(started), started);
    }
  }

  @Override
  public void close() {
    installed = null;
  }

  /**
   * Stops the first call of a kind.
   *
   * @param atOnce done by the thread that is stopped, before anybody else hears of it
   */
  public Stop stopAt(Predicate<Call> where, Runnable atOnce) {
    stop = new Stop(where, atOnce);
    return stop;
  }

  /** Nothing more is called by this one. */
  public void kill(NameNode nameNode) {
    synchronized (dead) {
      dead.add(nameNode);
    }
  }

  /** Waits, whoever interrupts. */
  public static void awaitUninterrupted(CountDownLatch latch) {
    boolean isInterrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void pass(NameNode nameNode, String method, boolean isOver, Object[] arguments)
      throws IOException {
    String target = arguments == null || arguments.length == 0 ? "" : "" + arguments[0];
    Call call = new Call(nameNode, method, isOver, before.get(), target);
    Stop set = stop;
    boolean isIt = false;
    if (set != null && set.where.test(call)) {
      synchronized (this) {
        isIt = stop == set;
        stop = isIt ? null : stop;
      }
    }
    if (isIt) {
      set.at(call);
    }
    if (isOver) {
      before.set(method);
    }
    synchronized (dead) {
      if (dead.contains(nameNode)) {
        throw new IOException("this NameNode is dead");
      }
    }
  }

  /** What encoding asks of its NameNode stops; nothing else does. */
  private NameNodeBridge stoppable(NameNodeBridge real, NameNode nameNode) {
    NameNodeBridge bridge = mock(NameNodeBridge.class, delegatesTo(real));
    doReturn(stoppable(NamenodeProtocols.class, real.protocol(), nameNode)).when(bridge).protocol();
    doReturn(stoppable(BlockLookup.class, real.blocks(), nameNode)).when(bridge).blocks();
    return bridge;
  }

  private <T> T stoppable(Class<T> type, T real, NameNode nameNode) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                pass(nameNode, method.getName(), false, arguments);
                Object answer = method.invoke(real, arguments);
                pass(nameNode, method.getName(), true, arguments);
                return answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              } catch (IOException e) {
                throw declared(e, method.getExceptionTypes());
              }
            }));
  }

  private static Exception declared(IOException e, Class<?>[] declared) {
    return declared.length == 0 ? new IllegalStateException(e) : e;
  }
}
