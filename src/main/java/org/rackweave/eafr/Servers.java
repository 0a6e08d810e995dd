package org.rackweave.eafr;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.Require;

/**
 * The servers of a cluster at one moment: their roles, loads and room. Immutable, nodes numbered as
 * in the topology. All are hot, alive, without load and without limit in space unless said
 * otherwise.
 */
public final class Servers {
  private final ClusterTopology topology;
  private final ServerRole[] roles;
  private final boolean[] live;
  private final int[] capacities;
  private final int[] reads;
  private final double[] linkLoads;
  private final long[] freeBytes;
  private final boolean[] sleepy;
  private final int hotServers;

  private Servers(Builder built) {
    topology = built.topology;
    roles = built.roles.clone();
    live = built.live.clone();
    capacities = built.capacities.clone();
    reads = built.reads.clone();
    linkLoads = built.linkLoads.clone();
    freeBytes = built.freeBytes.clone();
    sleepy = built.sleepy.clone();
    int hot = 0;
    for (int node = 0; node < roles.length; node++) {
      hot += isLive(node, ServerRole.HOT) ? 1 : 0;
    }
    hotServers = hot;
  }

  /**
   * @param capacity concurrent reads each server can serve, the paper's c, at least 1
   */
  public static Builder of(ClusterTopology topology, int capacity) {
    return new Builder(topology, capacity);
  }

  public ClusterTopology topology() {
    return topology;
  }

  public ServerRole role(int node) {
    return roles[node];
  }

  /** Not failed. Cold servers are alive and asleep. */
  public boolean isLive(int node) {
    return live[node];
  }

  boolean isLive(int node, ServerRole role) {
    return live[node] && roles[node] == role;
  }

  /** Alive, and hot or standby. */
  public boolean isAwake(int node) {
    return live[node] && roles[node].isAwake();
  }

  /** Servers that are not awake: those that sleep and those that have failed. A copy. */
  public BitSet asleep() {
    BitSet asleep = new BitSet(roles.length);
    for (int node = 0; node < roles.length; node++) {
      asleep.set(node, !isAwake(node));
    }
    return asleep;
  }

  /** Live hot servers. */
  public int hotServers() {
    return hotServers;
  }

  /** Servers that sleep. */
  public int coldServers() {
    int cold = 0;
    for (ServerRole role : roles) {
      cold += role == ServerRole.COLD ? 1 : 0;
    }
    return cold;
  }

  /** Whether a live standby server is not full yet (Eq. 8). */
  public boolean hasStandbyWithSpace(long reserveBytes) {
    for (int node = 0; node < roles.length; node++) {
      if (isLive(node, ServerRole.STANDBY) && freeBytes[node] >= reserveBytes) {
        return true;
      }
    }
    return false;
  }

  /** Concurrent reads under way and waiting, the paper's h. */
  public int reads(int node) {
    return reads[node];
  }

  /** Concurrent reads a server can serve, the paper's c. */
  public int capacity(int node) {
    return capacities[node];
  }

  /** Reads a server can take on, the paper's phi = c - h; below 0 when more wait than it serves. */
  public int remainingCapacity(int node) {
    return capacities[node] - reads[node];
  }

  /** Whether h/c is above a threshold, or what it has readers wait for, a link on the way out. */
  boolean isOverloaded(int node, double threshold) {
    return reads[node] > threshold * capacities[node]
        || reads[node] > 0 && linkLoads[node] > threshold;
  }

  /** Whether any is. */
  public boolean isAnyOverloaded(double threshold) {
    return IntStream.range(0, live.length).anyMatch(node -> isOverloaded(node, threshold));
  }

  /** Left side of Eq. 8: storage capacity less what is stored. */
  public long freeBytes(int node) {
    return freeBytes[node];
  }

  /** Whether it sleeps whenever it can, full or not. */
  boolean isSleepy(int node) {
    return sleepy[node];
  }

  /** The server's rack and name, for people. */
  String place(int node) {
    return topology.placeOf(node);
  }

  /** Collects what is known; refuses what cannot be. */
  public static final class Builder {
    private final ClusterTopology topology;
    private final ServerRole[] roles;
    private final boolean[] live;
    private final int[] capacities;
    private final int[] reads;
    private final double[] linkLoads;
    private final long[] freeBytes;
    private final boolean[] sleepy;

    private Builder(ClusterTopology topology, int capacity) {
      Require.atLeast("service capacity", capacity, 1);
      this.topology = topology;
      int nodes = topology.nodeCount();
      roles = new ServerRole[nodes];
      live = new boolean[nodes];
      capacities = new int[nodes];
      reads = new int[nodes];
      linkLoads = new double[nodes];
      freeBytes = new long[nodes];
      sleepy = new boolean[nodes];
      Arrays.fill(roles, ServerRole.HOT);
      Arrays.fill(live, true);
      Arrays.fill(capacities, capacity);
      Arrays.fill(freeBytes, Long.MAX_VALUE);
    }

    public Builder role(int node, ServerRole role) {
      roles[node] = role;
      return this;
    }

    public Builder failed(int node) {
      live[node] = false;
      return this;
    }

    /**
     * @param capacity concurrent reads, at least 1
     */
    public Builder capacity(int node, int capacity) {
      Require.atLeast("service capacity of " + topology.nodeName(node), capacity, 1);
      capacities[node] = capacity;
      return this;
    }

    public Builder reads(int node, int concurrent) {
      Require.atLeast("reads of " + topology.nodeName(node), concurrent, 0);
      reads[node] = concurrent;
      return this;
    }

    /**
     * @param share part of the fullest link from it to other racks that is in use, 0 to 1; 0 where
     *     that is not known
     */
    public Builder linkLoad(int node, double share) {
      linkLoads[node] = share;
      return this;
    }

    public Builder freeBytes(int node, long bytes) {
      freeBytes[node] = bytes;
      return this;
    }

    /** An operator wants it to sleep whenever it can; counts while it is standby. */
    public Builder sleepy(int node) {
      sleepy[node] = true;
      return this;
    }

    public Servers build() {
      return new Servers(this);
    }
  }
}
