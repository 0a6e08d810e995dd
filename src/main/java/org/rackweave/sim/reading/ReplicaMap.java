package org.rackweave.sim.reading;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Which servers have a replica of each file, and the room they have left. Room for a replica that
 * is on its way is taken already. Single-threaded.
 */
public final class ReplicaMap {
  private static final int[] NOWHERE = {};

  private final long[] sizeBytes;
  private final long[] storageBytes;
  private final long[] usedBytes;
  private final int[][] holders;

  /** Replicas on their way: the file's number times the servers, and the server's. */
  private final Set<Long> onTheWay = new HashSet<>();

  /**
   * @param sizeBytes of each file
   * @param storageBytes of each server
   */
  public ReplicaMap(long[] sizeBytes, long[] storageBytes) {
    this.sizeBytes = sizeBytes;
    this.storageBytes = storageBytes;
    usedBytes = new long[storageBytes.length];
    holders = new int[sizeBytes.length][];
    Arrays.fill(holders, NOWHERE);
  }

  public int files() {
    return holders.length;
  }

  public int servers() {
    return storageBytes.length;
  }

  public long sizeBytes(int file) {
    return sizeBytes[file];
  }

  /** Servers with a replica that can be read; do not modify. */
  public int[] holders(int file) {
    return holders[file];
  }

  public boolean isHolder(int file, int server) {
    for (int holder : holders[file]) {
      if (holder == server) {
        return true;
      }
    }
    return false;
  }

  /** Whether a server has a replica, or one is on its way there. */
  public boolean isTaken(int file, int server) {
    return isHolder(file, server) || onTheWay.contains(key(file, server));
  }

  private long key(int file, int server) {
    return (long) file * storageBytes.length + server;
  }

  /** Storage less what is stored and on its way. */
  public long freeBytes(int server) {
    return storageBytes[server] - usedBytes[server];
  }

  /** Takes room for a replica that is on its way; {@link #add} when it is there. */
  public void reserve(int file, int server) {
    if (freeBytes(server) < sizeBytes[file]) {
      throw new IllegalStateException("file " + file + " does not fit on server " + server);
    }
    if (isTaken(file, server)) {
      throw new IllegalStateException("server " + server + " has file " + file + " already");
    }
    onTheWay.add(key(file, server));
    usedBytes[server] += sizeBytes[file];
  }

  /** A replica whose room is taken is there. */
  public void add(int file, int server) {
    if (!onTheWay.remove(key(file, server))) {
      throw new IllegalStateException("no room was taken for file " + file + " on " + server);
    }
    int[] more = Arrays.copyOf(holders[file], holders[file].length + 1);
    more[more.length - 1] = server;
    holders[file] = more;
  }

  /** A replica is there at once. */
  public void store(int file, int server) {
    reserve(file, server);
    add(file, server);
  }

  /** A replica goes. */
  public void remove(int file, int server) {
    if (!isHolder(file, server)) {
      throw new IllegalStateException("server " + server + " has no replica of file " + file);
    }
    holders[file] = Arrays.stream(holders[file]).filter(holder -> holder != server).toArray();
    usedBytes[server] -= sizeBytes[file];
  }

  /** Bytes that the files' replicas take which can be read. */
  public double readableBytes() {
    double sum = 0;
    for (int file = 0; file < holders.length; file++) {
      sum += (double) holders[file].length * sizeBytes[file];
    }
    return sum;
  }

  /** Bytes of all replicas and of those on their way. */
  public double storedBytes() {
    return Arrays.stream(usedBytes).asDoubleStream().sum();
  }

  /**
   * What is wrong, or {@code null}: a server with more than fits, or with other bytes than those of
   * its replicas.
   *
   * @param underWay bytes on their way to each server
   */
  public String fault(long[] underWay) {
    long[] counted = underWay.clone();
    for (int file = 0; file < holders.length; file++) {
      for (int server : holders[file]) {
        counted[server] += sizeBytes[file];
      }
    }
    for (int server = 0; server < counted.length; server++) {
      if (counted[server] != usedBytes[server]) {
        return "server " + server + " has " + counted[server] + " bytes, not " + usedBytes[server];
      }
      if (freeBytes(server) < 0) {
        return "server " + server + " has " + -freeBytes(server) + " bytes too many";
      }
    }
    return null;
  }
}
