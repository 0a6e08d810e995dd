package org.rackweave.hdfs.eafr;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.rackweave.eafr.RepairSource;
import org.rackweave.eafr.Servers;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.eafr.SourceChoices.Choice;
import org.rackweave.history.Event.Kind;
import org.rackweave.history.EventLog;
import org.rackweave.model.ClusterTopology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has HDFS's copies of contiguous blocks read where Algorithm 4 says, and not where stock draws.
 *
 * <p>Stock's monitor works as ever: it takes blocks in its order and at its pace, draws a source
 * within its limits and asks the placement policy for targets. There the source is chosen, and what
 * stock then orders from another is given to the one that is chosen when either of them next sends
 * a heartbeat, before HDFS answers it. A copy whose source is not chosen, for a {@link
 * SourceOutcome}, stays with stock's. Soft state; a failover loses it.
 *
 * <p>Thread-safe; heartbeats take no lock while nothing waits.
 */
public final class CopySources {
  /** Which source a copy has got that HDFS orders, and why it is stock's. */
  public enum SourceOutcome {
    /** The one that Algorithm 4 says, and stock HDFS had drawn another. */
    REDIRECTED,
    /** Stock's: it has drawn the one that Algorithm 4 says. */
    DRAWN_IS_BEST,
    /** Stock's: there is one live replica. */
    ONLY_REPLICA,
    /** Stock's: one that is being drained, which has no writes to serve. */
    DRAINED,
    /** Stock's: all better ones have as many copies to send as HDFS lets them, or are silent. */
    OTHERS_BUSY,
    /** Stock's: a DataNode with a replica just came or left. */
    UNKNOWN_NODE,
    /** Stock's: more copies wait than are kept in mind. */
    TOO_MANY,
    /** Nobody's: HDFS did not order the copy after all. */
    NOT_ORDERED
  }

  private static final Logger LOG = LoggerFactory.getLogger(CopySources.class);

  /** Long after stock orders what it has targets for, or does not. */
  private static final long ORDERED_WITHIN_MS = 30_000;

  private final BooleanSupplier isEnabled;
  private final BooleanSupplier isLeftToDayu;
  private final WaitingCopies copies;
  private final EventLog events;
  private final SourceChoices choices = new SourceChoices();
  private final Map<SourceOutcome, Long> outcomes = new EnumMap<>(SourceOutcome.class);
  private volatile boolean isIdle = true;
  private volatile State state = State.OFF;

  /** Who chooses sources. */
  enum State {
    ON("this does"),
    OFF("it is not enabled"),
    LEFT_TO_DAYU("recovery is active, and Dayu does"),
    OTHER_POLICY("dfs.block.replicator.classname is not RackweaveBlockPlacementPolicy");

    private final String why;

    State(String why) {
      this.why = why;
    }
  }

  /**
   * A copy that HDFS is about to order.
   *
   * @param targets the array that the policy gives HDFS
   * @param drawn number of the source that HDFS has drawn
   * @param holders numbers of all DataNodes with a live replica; do not modify
   */
  public record Copy(DatanodeStorageInfo[] targets, int drawn, int[] holders) {
    private boolean isKnown() {
      return drawn != ClusterTopology.NONE && !contains(holders, ClusterTopology.NONE);
    }
  }

  private static boolean contains(int[] nodes, int wanted) {
    for (int node : nodes) {
      if (node == wanted) {
        return true;
      }
    }
    return false;
  }

  /**
   * @param isLeftToDayu whether sources are Dayu's to choose
   * @param events told of sources in place of those that stock HDFS has drawn
   */
  CopySources(
      BooleanSupplier isEnabled,
      BooleanSupplier isLeftToDayu,
      WaitingCopies copies,
      EventLog events) {
    this.events = events;
    this.isEnabled = isEnabled;
    this.isLeftToDayu = isLeftToDayu;
    this.copies = copies;
  }

  /** Looks who chooses sources now; returns itself, or {@code null} when it is not this. */
  CopySources inForce() {
    State now = stateNow();
    if (now != state) {
      state = now;
      if (now == State.ON) {
        LOG.info("EAFR chooses the sources of HDFS's copies");
      } else if (now == State.OTHER_POLICY) {
        LOG.warn(
            "{} = 'true' has no effect, stock HDFS draws sources: {}",
            ConfigKeys.EAFR_SOURCES_ENABLED,
            now.why);
      } else {
        LOG.info("EAFR no longer chooses the sources of HDFS's copies: {}", now.why);
      }
    }
    return now == State.ON ? this : null;
  }

  private State stateNow() {
    if (!isEnabled.getAsBoolean()) {
      return State.OFF;
    }
    if (isLeftToDayu.getAsBoolean()) {
      return State.LEFT_TO_DAYU;
    }
    return copies.arePlacedByEafr() ? State.ON : State.OTHER_POLICY;
  }

  State state() {
    return state;
  }

  /**
   * Chooses the source of a copy.
   *
   * @param datanodes by node number; do not modify
   * @param nowMs monotonic time
   */
  public synchronized void choose(
      Servers servers, DatanodeDescriptor[] datanodes, Copy copy, long nowMs) {
    expire(nowMs);
    if (!copy.isKnown()) {
      count(SourceOutcome.UNKNOWN_NODE);
      return;
    }
    if (choices.isFull()) {
      count(SourceOutcome.TOO_MANY);
      return;
    }
    int drawn = copy.drawn();
    int[] able = able(copy, datanodes);
    SourceOutcome kept = whyDrawn(copy, able);
    int chosen = drawn;
    if (kept == null) {
      int best =
          new RepairSource(servers, none -> false, node -> choices.planned(datanodes[node]))
              .of(able);
      chosen = best == ClusterTopology.NONE ? drawn : best;
      kept = chosen == drawn ? SourceOutcome.DRAWN_IS_BEST : null;
    }
    if (kept != null) {
      count(kept);
    }
    choices.add(
        new Choice(copy.targets(), datanodes[drawn], datanodes[chosen], nowMs + ORDERED_WITHIN_MS));
    isIdle = false;
  }

  /** The drawn source, and the holders that could send as well. */
  private int[] able(Copy copy, DatanodeDescriptor[] datanodes) {
    int[] able = new int[copy.holders().length];
    int count = 0;
    for (int node : copy.holders()) {
      if (node == copy.drawn() || canSend(datanodes[node])) {
        able[count++] = node;
      }
    }
    return Arrays.copyOf(able, count);
  }

  /** Forgets what HDFS has not ordered, so that heartbeats need not look for it. */
  synchronized void expire(long nowMs) {
    for (Choice late : choices.expire(nowMs)) {
      if (late.isRedirection() && !late.isOrdered()) {
        count(SourceOutcome.NOT_ORDERED);
      }
    }
    isIdle = choices.isEmpty();
  }

  private boolean canSend(DatanodeDescriptor node) {
    return copies.canSend(node, choices.coming(node));
  }

  /** Why there is nothing to choose, {@code null} when there is. */
  private static SourceOutcome whyDrawn(Copy copy, int[] able) {
    if (!contains(copy.holders(), copy.drawn())) {
      return SourceOutcome.DRAINED;
    }
    if (copy.holders().length == 1) {
      return SourceOutcome.ONLY_REPLICA;
    }
    return able.length == 1 ? SourceOutcome.OTHERS_BUSY : null;
  }

  /** A DataNode has sent a heartbeat that HDFS is going to answer. */
  void heartbeat(String datanodeUuid) {
    if (isIdle) {
      return;
    }
    synchronized (this) {
      for (DatanodeDescriptor drawn : choices.drawnFor(datanodeUuid)) {
        copies.redirect(drawn, targets -> sender(drawn, targets));
      }
      choices.told(datanodeUuid);
      isIdle = choices.isEmpty();
    }
  }

  /** The source of a copy that HDFS has ordered; {@code null}: the one that stock has drawn. */
  private DatanodeDescriptor sender(DatanodeDescriptor drawn, DatanodeStorageInfo[] targets) {
    Choice choice = choices.awaited(drawn, targets);
    if (choice == null) {
      return null;
    }
    if (choice.isRedirection() && !copies.canSend(choice.chosen(), 0)) {
      choices.remove(choice);
      count(SourceOutcome.OTHERS_BUSY);
      return null;
    }
    choice.ordered();
    if (!choice.isRedirection()) {
      return null;
    }
    count(SourceOutcome.REDIRECTED);
    events.add(
        Kind.COPY,
        ClusterView.placeOf(choice.chosen()),
        () -> "sends a copy in place of " + ClusterView.placeOf(drawn));
    return choice.chosen();
  }

  /** What was chosen is another NameNode's to order now. */
  synchronized void forget() {
    choices.clear();
    isIdle = true;
  }

  private void count(SourceOutcome outcome) {
    outcomes.merge(outcome, 1L, Long::sum);
  }

  /** Copies by what became of their sources. */
  synchronized Map<SourceOutcome, Long> outcomes() {
    return new EnumMap<>(outcomes);
  }
}
