package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.DaemonThreads;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.hdfs.hook.HookTimer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The decode port: accepts clients, and keeps any of them from holding it. Connections are bounded
 * in all and by address; a client that is late with its request, or in reading the answer, is cut
 * off. Requests that cost something wait for their turn, of which there are few in all and half as
 * many by address.
 *
 * <p>Where the port is taken, as by another DataNode of the machine, it listens at another; where
 * that cannot be it tries again. Thread-safe.
 */
final class DecodeListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DecodeListener.class);
  private static final String THREAD = "rackweave-decode";
  private static final int BACKLOG = 128;
  private static final long REST_NANOS = 100_000_000;
  private static final long IDLE_SECONDS = 60;

  /**
   * What clients may hold.
   *
   * @param connections open at a time, each with a thread
   * @param perClient of them, from one address
   * @param turns requests served at a time
   * @param requestMs until a client has asked
   * @param turnMs that a request waits for its turn
   * @param stallMs that a client may stop reading
   * @param leastBytesPerSec that a client has to read while something waits for it to
   * @param lookMs between two looks at who is late
   */
  record Limits(
      int connections,
      int perClient,
      int turns,
      long requestMs,
      long turnMs,
      long stallMs,
      long leastBytesPerSec,
      long lookMs) {
    private static final int CONNECTIONS_PER_TURN = 8;
    private static final int CONNECTIONS_MAX = 1024;

    /** For so many requests served at a time. HDFS's clients wait a minute for an answer. */
    static Limits of(int turns) {
      int connections =
          Math.max(2 * turns, Math.min(CONNECTIONS_PER_TURN * turns, CONNECTIONS_MAX));
      return new Limits(
          connections, (connections + 3) / 4 + 1, turns, 10_000, 20_000, 20_000, 256 << 10, 1_000);
    }
  }

  /** What is done for a client; closes nothing. */
  @FunctionalInterface
  interface Service {
    void serve(DecodeClient client) throws IOException;
  }

  /** What waits for its turn. */
  @FunctionalInterface
  interface Request {
    void run() throws IOException;
  }

  private static final class Address {
    final Semaphore turns;
    int connections;

    Address(int turns) {
      this.turns = new Semaphore(turns, true);
    }
  }

  private final InetSocketAddress wanted;
  private final boolean mayMove;
  private final Limits limits;
  private final AgentMetrics metrics;
  private final Service service;
  private final Semaphore turns;
  private final ThreadPoolExecutor threads;
  private final ExecutorService acceptor =
      Executors.newSingleThreadExecutor(DaemonThreads.named(THREAD + "-accept"));
  private final HookTimer timer = new HookTimer(THREAD);
  private final Set<DecodeClient> clients = ConcurrentHashMap.newKeySet();

  /** Those with a connection; only with its own lock. */
  private final Map<InetAddress, Address> addresses = new HashMap<>();

  private volatile ServerSocket socket;
  private volatile boolean isClosed;

  /**
   * @param mayMove whether it may listen at another port when this one is taken
   */
  DecodeListener(
      InetSocketAddress wanted,
      boolean mayMove,
      Limits limits,
      AgentMetrics metrics,
      Service service) {
    this.wanted = wanted;
    this.mayMove = mayMove;
    this.limits = limits;
    this.metrics = metrics;
    this.service = service;
    turns = new Semaphore(limits.turns(), true);
    threads =
        new ThreadPoolExecutor(
            0,
            limits.connections(),
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            DaemonThreads.numbered(THREAD));
  }

  /** Begins; tries again and again when it cannot. */
  void start() {
    HookGuard.run(Hook.DECODE_LISTEN, this::open);
    timer.every(Hook.DECODE_LISTEN, limits.lookMs(), this::look);
  }

  /** Where it listens, 0 for nowhere yet. */
  int port() {
    ServerSocket now = socket;
    return now == null || now.isClosed() ? 0 : now.getLocalPort();
  }

  private void look() throws IOException {
    long nowMs = Time.monotonicNow();
    for (DecodeClient client : clients) {
      if (client.cutOffIfLate(nowMs)) {
        metrics.decodeClientCutOff();
      }
    }
    open();
  }

  private synchronized void open() throws IOException {
    if (port() > 0 || isClosed) {
      return;
    }
    metrics.decodePort(0);
    ServerSocket opened = bind();
    socket = opened;
    metrics.decodePort(port());
    LOG.info("Decoding for clients at port {}", port());
    acceptor.execute(() -> accept(opened));
  }

  private ServerSocket bind() throws IOException {
    try {
      return bind(wanted);
    } catch (BindException e) {
      if (!mayMove || wanted.getPort() == 0) {
        throw new IOException("no clients get blocks decoded at " + wanted + ": " + e, e);
      }
      LOG.warn("{} is in use; clients that read missing blocks are sent to another port", wanted);
      return bind(new InetSocketAddress(wanted.getAddress(), 0));
    }
  }

  private static ServerSocket bind(InetSocketAddress address) throws IOException {
    ServerSocket bound = new ServerSocket();
    try {
      bound.setReuseAddress(true);
      bound.bind(address, BACKLOG);
      return bound;
    } catch (IOException e) {
      bound.close();
      throw e;
    }
  }

  private void accept(ServerSocket from) {
    while (!from.isClosed()) {
      boolean isAccepted = HookGuard.call(Hook.DECODE_ACCEPT, false, () -> acceptOne(from));
      if (!isAccepted && !Thread.currentThread().isInterrupted()) {
        LockSupport.parkNanos(REST_NANOS); // for want of memory or files the next fails, too
      }
    }
  }

  private boolean acceptOne(ServerSocket from) throws IOException {
    Socket accepted;
    try {
      accepted = from.accept();
    } catch (IOException e) {
      if (from.isClosed()) {
        return true;
      }
      throw e;
    }
    DecodeClient client = admit(accepted);
    if (client == null) {
      metrics.decodeRefused();
      IOUtils.closeSocket(accepted);
      return true;
    }
    try {
      threads.execute(() -> serve(client));
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      metrics.decodeRefused();
      leave(client);
    }
    return true;
  }

  private void serve(DecodeClient client) {
    try {
      HookGuard.run(
          Hook.DECODE_REQUEST,
          () -> {
            try {
              service.serve(client);
            } catch (IOException e) {
              if (!client.isGone()) {
                throw e;
              }
            }
          });
    } finally {
      leave(client);
    }
  }

  /**
   * @return {@code null} when there are too many connections
   */
  private DecodeClient admit(Socket accepted) {
    synchronized (addresses) {
      Address of = addresses.get(accepted.getInetAddress());
      if (clients.size() >= limits.connections()
          || (of != null && of.connections >= limits.perClient())) {
        return null;
      }
      if (of == null) {
        of = new Address((limits.turns() + 1) / 2);
        addresses.put(accepted.getInetAddress(), of);
      }
      of.connections++;
      DecodeClient client = new DecodeClient(accepted, limits, of.turns);
      clients.add(client);
      return client;
    }
  }

  private void leave(DecodeClient client) {
    IOUtils.closeSocket(client.socket());
    synchronized (addresses) {
      InetAddress address = client.socket().getInetAddress();
      Address of = addresses.get(address);
      if (clients.remove(client) && --of.connections == 0) {
        addresses.remove(address);
      }
    }
  }

  /**
   * Does something when it is a client's turn.
   *
   * @throws IOException when it is not for long, and the client may ask another DataNode
   */
  void inTurn(DecodeClient client, Request request) throws IOException {
    await(client.turns());
    try {
      await(turns);
      try {
        request.run();
      } finally {
        turns.release();
      }
    } finally {
      client.turns().release();
    }
  }

  private void await(Semaphore turn) throws IOException {
    try {
      if (turn.tryAcquire(limits.turnMs(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    metrics.decodeRefused();
    throw new BusyException();
  }

  /** Nothing has failed; there is too much to do. */
  static final class BusyException extends IOException {
    private static final long serialVersionUID = 1;

    BusyException() {
      super("this DataNode decodes for as many clients as it may; ask another");
    }
  }

  @Override
  public void close() {
    isClosed = true;
    timer.closeNow();
    threads.shutdownNow();
    ServerSocket now = socket;
    if (now != null) {
      IOUtils.closeStream(now);
    }
    clients.forEach(client -> IOUtils.closeSocket(client.socket()));
    acceptor.shutdownNow();
    metrics.decodePort(0);
  }
}
