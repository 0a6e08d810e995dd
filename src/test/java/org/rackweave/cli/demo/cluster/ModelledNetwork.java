package org.rackweave.cli.demo.cluster;

import java.io.InterruptedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;

/**
 * The links of an embedded cluster's hosts, each with its speed in each direction. Every byte that
 * a client or a DataNode exchanges with a DataNode, whoever opened the connection and whatever for,
 * passes the sender's link and the receiver's. Hosts without a link have no limit, and the NameNode
 * is reached without any.
 */
public final class ModelledNetwork implements AutoCloseable {
  /** What a flow sends before it is another's turn. */
  static final int TURN_BYTES = 16 << 10;

  private static final String KEY = "rackweave.test.network";
  private static final Map<String, ModelledNetwork> ALL = new ConcurrentHashMap<>();
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final String name = "network-" + NUMBERS.incrementAndGet();
  private final Map<String, Link> links = new ConcurrentHashMap<>();
  private volatile boolean isLimited;

  private record Link(NetworkLink in, NetworkLink out, LongAdder toDataNodes) {}

  public ModelledNetwork() {
    ALL.put(name, this);
  }

  /** The network a configuration names. */
  static ModelledNetwork namedIn(String value) {
    ModelledNetwork network = ALL.get(value);
    if (network == null) {
      throw new IllegalStateException("No modelled network " + value);
    }
    return network;
  }

  static String key() {
    return KEY;
  }

  /** What makes DataNodes and clients use this network. */
  public Map<String, String> properties() {
    return Map.of(
        KEY,
        name,
        CommonConfigurationKeysPublic.HADOOP_RPC_SOCKET_FACTORY_CLASS_DEFAULT_KEY,
        NetworkSocketFactory.class.getName());
  }

  /** Gives a host a link. */
  public void connect(String address, long bytesPerSec) {
    links.put(
        address,
        new Link(new NetworkLink(bytesPerSec), new NetworkLink(bytesPerSec), new LongAdder()));
  }

  /** Whether links have limits; from the start they have none, so that files are soon written. */
  public void limit(boolean limited) {
    isLimited = limited;
  }

  /** Bytes a host has received. */
  public long receivedBytes(String address) {
    return links.get(address).in().passedBytes();
  }

  /** Bytes a host has sent. */
  public long sentBytes(String address) {
    return links.get(address).out().passedBytes();
  }

  /** Bytes a host has sent to DataNodes: if it is one itself, copies and pipelines. */
  public long sentToDataNodesBytes(String address) {
    return links.get(address).toDataNodes().sum();
  }

  /** Has some bytes pass from host to host, waiting as long as that takes. */
  void pass(String from, String to, int bytes) throws InterruptedIOException {
    Link sender = links.get(from);
    Link receiver = links.get(to);
    if (sender != null && LoopbackAddresses.rackOf(to) >= 0) {
      sender.toDataNodes().add(bytes);
    }
    if (!isLimited) {
      if (sender != null) {
        sender.out().pass(bytes);
      }
      if (receiver != null) {
        receiver.in().pass(bytes);
      }
      return;
    }
    long now = System.nanoTime();
    long due = now;
    if (sender != null) {
      due = Math.max(due, sender.out().reserve(bytes, now));
    }
    if (receiver != null) {
      due = Math.max(due, receiver.in().reserve(bytes, now));
    }
    for (long left = due - now; left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("while bytes passed from " + from + " to " + to);
      }
    }
  }

  @Override
  public void close() {
    ALL.remove(name);
  }
}
