package org.rackweave.hdfs.dayu;

import java.util.Comparator;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.dayu.Brake;
import org.rackweave.dayu.Brake.Cause;
import org.rackweave.dayu.Brake.Judgement;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

/**
 * Asks the pure {@link Brake} whether too many DataNodes were lost at once. Those that are drained,
 * or that the NameNode has not heard of since it started, are not missed.
 *
 * <p><b>The operator's go</b> is for what was lost when it was said: for DataNodes last heard of
 * before the last of those was, or within a window after it. What is lost later is another outage,
 * which is waited for, also while the first lasts. The word is forgotten when nothing is to be
 * waited for any more; said when nothing is, it does nothing.
 *
 * <p>O(DataNodes log DataNodes) once a heartbeat and when some come or go, else O(DataNodes) to
 * count them; without the namesystem's lock. Thread-safe.
 */
final class OutageBrake {
  private static final long NOBODY = Long.MIN_VALUE;
  private static final Judgement NOTHING = new Judgement(Cause.NONE, 0, 0, ClusterTopology.NONE);

  private final Supplier<Brake> brake;
  private final Supplier<List<DatanodeDescriptor>> datanodes;
  private final long expiryMs;

  private final IntSupplier live;
  private final long heartbeatMs;
  private int liveThen;
  private long nextMs = NOBODY;

  /** Whoever was last heard of then or before is not waited for. */
  private long excusedMs = NOBODY;

  private volatile List<DatanodeDescriptor> vanished = List.of();
  private volatile Judgement last = NOTHING;
  private volatile String rack = "";

  /**
   * @param datanodes all that are known, dead ones too
   * @param live how many of them are alive
   * @param heartbeatMs time between two heartbeats
   * @param expiryMs silence after which HDFS takes a DataNode for dead
   */
  OutageBrake(
      Supplier<Brake> brake,
      Supplier<List<DatanodeDescriptor>> datanodes,
      IntSupplier live,
      long heartbeatMs,
      long expiryMs) {
    this.brake = brake;
    this.datanodes = datanodes;
    this.live = live;
    this.heartbeatMs = heartbeatMs;
    this.expiryMs = expiryMs;
  }

  /** Silence after which a DataNode may be lost with those that HDFS takes for dead. */
  private long missedMs() {
    return (long) Math.max(10 * heartbeatMs, expiryMs - 1000 * brake.get().windowSec());
  }

  /**
   * DataNodes at a moment.
   *
   * @param datanodes those that are not drained, by number
   * @param goneForSec of each how long it has been gone, negative when it is there
   * @param heardMs of each when it was last heard of
   */
  private record Look(
      List<DatanodeDescriptor> datanodes,
      ClusterTopology topology,
      double[] goneForSec,
      long[] heardMs) {
    /** When the last of those that are gone was heard of, {@link #NOBODY} for none. */
    long lastOfGoneMs() {
      long lastMs = NOBODY;
      for (int node = 0; node < goneForSec.length; node++) {
        lastMs = goneForSec[node] >= 0 ? Math.max(lastMs, heardMs[node]) : lastMs;
      }
      return lastMs;
    }

    /** How long they have been gone; some for so long that nobody waits for them. */
    double[] goneForSecBut(long excusedMs) {
      double[] gone = goneForSec.clone();
      for (int node = 0; node < gone.length; node++) {
        boolean isExcused = gone[node] >= 0 && heardMs[node] <= excusedMs;
        gone[node] = isExcused ? Double.POSITIVE_INFINITY : gone[node];
      }
      return gone;
    }
  }

  private Look look(long nowMs) {
    liveThen = live.getAsInt(); // before: one that dies meanwhile is news
    List<DatanodeDescriptor> known =
        datanodes.get().stream()
            .filter(node -> node.isInService())
            // A host that is to be there and never registered has no UUID: it had no replicas.
            .filter(node -> node.getDatanodeUuid() != null)
            .sorted(Comparator.comparing(DatanodeDescriptor::getNetworkLocation))
            .toList();
    ClusterTopology topology =
        ClusterTopology.of(
            known.stream()
                .map(node -> new NodePlace(node.getXferAddr(), node.getNetworkLocation(), null))
                .toList());
    double[] goneForSec = new double[known.size()];
    long[] heardMs = new long[known.size()];
    for (int node = 0; node < goneForSec.length; node++) {
      DatanodeDescriptor datanode = known.get(node);
      heardMs[node] = datanode.getLastUpdateMonotonic();
      long silentMs = nowMs - heardMs[node];
      // HDFS takes them for dead one by one; those that will be next count with the first.
      boolean isGone = !datanode.isAlive() || silentMs >= missedMs();
      goneForSec[node] = isGone ? Math.max(0, silentMs - expiryMs) / 1000.0 : -1;
    }
    return new Look(known, topology, goneForSec, heardMs);
  }

  /** Judges anew once a heartbeat, and when there are more or fewer DataNodes than there were. */
  synchronized Judgement judge(long nowMs) {
    boolean isKnown = nowMs < nextMs && live.getAsInt() == liveThen;
    return isKnown ? last : judge(look(nowMs), nowMs);
  }

  private Judgement judge(Look seen, long nowMs) {
    nextMs = nowMs + heartbeatMs;
    Judgement now = brake.get().judge(seen.topology(), seen.goneForSec(), false);
    if (now.mayRecover()) {
      excusedMs = NOBODY;
    } else if (excusedMs != NOBODY) {
      Judgement others = brake.get().judge(seen.topology(), seen.goneForSecBut(excusedMs), false);
      now =
          others.mayRecover()
              ? brake.get().judge(seen.topology(), seen.goneForSec(), true)
              : others;
    }
    double[] gone = seen.goneForSecBut(excusedMs);
    vanished =
        IntStream.range(0, gone.length)
            .filter(node -> gone[node] >= 0 && gone[node] < brake.get().graceSec())
            .mapToObj(seen.datanodes()::get)
            .toList();
    rack = now.rack() == ClusterTopology.NONE ? "" : seen.topology().rackPath(now.rack());
    last = now;
    return now;
  }

  /**
   * Takes the operator's word.
   *
   * @param go whether what is lost now is not waited for; else it is, also if it was not
   */
  synchronized void override(boolean go, long nowMs) {
    Look seen = look(nowMs);
    long lastMs = go ? seen.lastOfGoneMs() : NOBODY;
    excusedMs = lastMs == NOBODY ? NOBODY : lastMs + (long) (1000 * brake.get().windowSec());
    judge(seen, nowMs);
  }

  /** Looks whether what the operator gave the word for is over, if there was one. */
  synchronized void settle(long nowMs) {
    if (excusedMs != NOBODY) {
      judge(nowMs);
    }
  }

  /** Begins anew, without the operator's word. */
  synchronized void forget() {
    excusedMs = NOBODY;
    last = NOTHING;
    vanished = List.of();
    nextMs = NOBODY;
  }

  /** Whether it would have recovery wait, but the operator said go. */
  boolean isOverridden() {
    return last.cause() == Cause.OVERRIDDEN;
  }

  Judgement last() {
    return last;
  }

  /** DataNodes that went within the grace, without those that the operator does not wait for. */
  List<DatanodeDescriptor> vanished() {
    return vanished;
  }

  /** For the log and for people. */
  String describe() {
    Judgement now = last;
    return switch (now.cause()) {
      case NONE -> "nothing unusual is lost";
      case SHARE -> now.vanished() + " DataNodes were lost at once, recovery waits " + wait(now);
      case RACK -> "rack " + rack + " was lost at once, recovery waits " + wait(now);
      case OVERRIDDEN -> now.vanished() + " DataNodes were lost at once, the operator said go";
    };
  }

  private static String wait(Judgement judgement) {
    return (long) Math.ceil(judgement.waitSec()) + " s more";
  }
}
