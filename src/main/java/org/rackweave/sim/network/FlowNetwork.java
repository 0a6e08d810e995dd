package org.rackweave.sim.network;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rackweave.sim.engine.Event;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.Invariant;

/**
 * Links, and flows that share them max-min fairly ({@link FairShares}).
 *
 * <p>Everything that changes at one instant is settled once, at its end. With a settlement interval
 * above 0, what ended flows leave is handed out at multiples of it only: rates are then never too
 * high, and too low for at most that long. Flows that begin are always settled at once.
 *
 * <p>The end of a flow is rounded up to the next nanosecond.
 */
public final class FlowNetwork {
  /** Bytes by which rounding may make a flow look unfinished. */
  private static final double FINISH_TOLERANCE_BYTES = 0.01;

  private static final double NANOS_PER_SEC = 1e9;

  /** Some hundred days: beyond, nanoseconds are no whole numbers of a double. */
  private static final double NEVER_NANOS = 9e15;

  private final EventLoop loop;
  private final long settleEveryNanos;
  private final Link[] links;
  private final Map<Path, Bundle> bundles = new HashMap<>();
  private final FairShares shares = new FairShares();
  private final IndexedHeap<Link> finishes = new IndexedHeap<>();

  private final Set<Link> upset = new LinkedHashSet<>();
  private final Set<Bundle> grown = new LinkedHashSet<>();
  private boolean settlesThisInstant;
  private boolean settlesLater;
  private Event nextFinish;

  private long flowsStarted;
  private int flowCount;
  private long settlements;
  private double startedBytes;
  private String fault;

  /**
   * @param capacities of the links, bytes per second, each finite and at least 0
   * @param settleEveryNanos settlement interval for what ended flows leave; 0 is exact
   */
  public FlowNetwork(EventLoop loop, double[] capacities, long settleEveryNanos) {
    this.loop = loop;
    this.settleEveryNanos = settleEveryNanos;
    links = new Link[capacities.length];
    for (int i = 0; i < links.length; i++) {
      links[i] = new Link(i, requireCapacity(capacities[i]));
    }
  }

  private static double requireCapacity(double bytesPerSec) {
    if (!(bytesPerSec >= 0 && bytesPerSec < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("no capacity: " + bytesPerSec);
    }
    return bytesPerSec;
  }

  /**
   * Starts a flow.
   *
   * @param sizeBytes above 0
   * @param whenDone what to do when the last byte has arrived
   */
  public Flow start(Path path, double sizeBytes, Runnable whenDone) {
    if (!(sizeBytes > 0)) {
      throw new IllegalArgumentException("a flow of " + sizeBytes + " bytes");
    }
    long now = loop.nowNanos();
    Bundle bundle = bundles.computeIfAbsent(path, this::newBundle);
    Flow flow = new Flow(sizeBytes, now, flowsStarted++, whenDone);
    flow.bundle = bundle;
    flow.endsAtBytes = bundle.servedBytes(now) + sizeBytes;
    bundle.add(flow);
    bundle.queue();
    grown.add(bundle);
    flowCount++;
    startedBytes += sizeBytes;
    settleThisInstant();
    return flow;
  }

  private Bundle newBundle(Path path) {
    Link[] crossed = new Link[path.length()];
    Bundle bundle = new Bundle(path, crossed);
    for (int place = 0; place < crossed.length; place++) {
      crossed[place] = links[path.link(place)];
      crossed[place].attach(bundle, place);
    }
    return bundle;
  }

  /** Stops a flow before its end and forgets it; does nothing when it has ended. */
  public void cancel(Flow flow) {
    Bundle bundle = flow.bundle;
    if (bundle == null) {
      return;
    }
    double left = leftBytes(flow);
    bundle.remove(flow);
    startedBytes -= left;
    release(flow, flow.sizeBytes() - left);
    predict(bundle.limit);
    settleAfterEnd();
  }

  /** Bytes that a flow has yet to deliver. */
  public double leftBytes(Flow flow) {
    return flow.bundle == null
        ? 0
        : Math.max(0, flow.endsAtBytes - flow.bundle.servedBytes(loop.nowNanos()));
  }

  /** Changes what a link can carry; 0 lets its flows stand still. */
  public void setCapacity(int link, double bytesPerSec) {
    Link changed = links[link];
    changed.capacity = requireCapacity(bytesPerSec);
    if (changed.isSaturated() || changed.load > bytesPerSec) {
      upset.add(changed);
      settleThisInstant();
    }
  }

  public double capacity(int link) {
    return links[link].capacity;
  }

  /** Bytes per second that cross a link now. */
  public double load(int link) {
    return links[link].load;
  }

  /** Bytes that have crossed a link since the start. */
  public double carriedBytes(int link) {
    return links[link].carriedBytes(loop.nowNanos());
  }

  public int linkCount() {
    return links.length;
  }

  /** Flows under way. */
  public int flowCount() {
    return flowCount;
  }

  /** Flows ever started. */
  public long flowsStarted() {
    return flowsStarted;
  }

  /** How often rates were computed. */
  public long settlements() {
    return settlements;
  }

  /** Bundles whose rate was computed, over all settlements. */
  public long bundlesSolved() {
    return shares.bundlesSolved();
  }

  /** No link carries more than it can, within a billionth. Cheap: looks at what has changed. */
  public Invariant withinCapacity() {
    return () -> fault;
  }

  /** No byte is lost or made on a link. Cheap: looks at one link after another. */
  public Invariant conservesBytes() {
    BytesAudit audit = new BytesAudit(links);
    return () -> audit.faultOfNext(loop.nowNanos());
  }

  /** Every flow's rate is max-min fair, and loads are the sums of rates. Looks at everything. */
  public Invariant fairness() {
    return () -> settlesThisInstant || settlesLater ? null : new FairnessAudit(links).fault();
  }

  /** Bytes that all flows have delivered. */
  public double deliveredBytes() {
    double left = 0;
    for (Bundle bundle : bundles.values()) {
      double served = bundle.servedBytes(loop.nowNanos());
      for (Flow flow : bundle.flows()) {
        left += flow.endsAtBytes - served;
      }
    }
    return startedBytes - left;
  }

  private void settleThisInstant() {
    if (!settlesThisInstant) {
      settlesThisInstant = true;
      loop.atEndOfInstant(this::settle);
    }
  }

  private void settleAfterEnd() {
    if (settleEveryNanos == 0) {
      settleThisInstant();
    } else if (!settlesLater) {
      settlesLater = true;
      long next = (loop.nowNanos() / settleEveryNanos + 1) * settleEveryNanos;
      loop.at(next, this::settleThisInstant);
    }
  }

  private void settle() {
    settlesThisInstant = false;
    settlesLater = false;
    settlements++;
    shares.solve(upset, grown);
    upset.clear();
    grown.clear();
    long now = loop.nowNanos();
    shares.region().forEach(link -> link.advance(now));
    shares.changed().forEach(bundle -> carryOut(bundle, now));
    for (Link link : shares.region()) {
      link.level = link.newLevel;
      link.roundLoad();
      checkCapacity(link);
      predict(link);
    }
    scheduleFinish();
  }

  private void carryOut(Bundle bundle, long now) {
    double load = bundle.flowCount * bundle.newRate;
    double more = load - bundle.load;
    bundle.rate = bundle.newRate;
    bundle.load = load;
    bundle.settledFlows = bundle.flowCount;
    if (more != 0) {
      for (Link link : bundle.links) {
        link.advance(now);
        link.load += more;
      }
    }
    if (bundle.limit != bundle.newLimit) {
      Link before = bundle.limit;
      bundle.moveTo(bundle.newLimit, now);
      predict(before);
      predict(bundle.limit);
    }
  }

  private void checkCapacity(Link link) {
    if (FairShares.isTooMuch(link, link.load)) {
      fault = "link " + link.id + " of " + link.capacity + " B/s carries " + link.load;
    }
  }

  /** Works out when the first flow limited by a link ends. */
  private void predict(Link link) {
    if (link == null) {
      return;
    }
    if (link.finishing.isEmpty() || !(link.level > 0) || !link.isSaturated()) {
      finishes.remove(link.nextFinish);
      return;
    }
    long now = loop.nowNanos();
    double left = link.finishing.first().key() - link.serviceBytes(now);
    double due = now + Math.ceil(Math.max(0, left) / link.level * NANOS_PER_SEC);
    if (due < NEVER_NANOS) {
      finishes.put(link.nextFinish, due);
    } else {
      finishes.remove(link.nextFinish);
    }
  }

  private void scheduleFinish() {
    if (finishes.isEmpty()) {
      if (nextFinish != null) {
        nextFinish.cancel();
      }
      return;
    }
    long due = (long) finishes.first().key();
    if (nextFinish != null && nextFinish.isPending()) {
      if (nextFinish.timeNanos() == due) {
        return;
      }
      nextFinish.cancel();
    }
    nextFinish = loop.at(due, this::finishDue);
  }

  private void finishDue() {
    long now = loop.nowNanos();
    List<Flow> ended = new ArrayList<>();
    while (!finishes.isEmpty() && finishes.first().key() <= now) {
      Link link = finishes.first().owner;
      link.advance(now);
      double due = link.serviceBytes(now) + FINISH_TOLERANCE_BYTES;
      while (!link.finishing.isEmpty() && link.finishing.first().key() <= due) {
        ended.add(endFirst(link.finishing.first().owner));
      }
      predict(link);
    }
    scheduleFinish();
    if (!ended.isEmpty()) {
      settleAfterEnd();
      ended.forEach(Flow::tellDone);
    }
  }

  private Flow endFirst(Bundle bundle) {
    Flow flow = bundle.first();
    bundle.remove(flow);
    release(flow, flow.sizeBytes());
    return flow;
  }

  /** Gives back what a flow that has left its bundle used. */
  private void release(Flow flow, double receivedBytes) {
    Bundle bundle = flow.bundle;
    flow.bundle = null;
    flowCount--;
    bundle.queue();
    boolean isEmpty = bundle.flowCount == 0;
    bundle.settledFlows = Math.min(bundle.settledFlows, bundle.flowCount);
    double load = bundle.settledFlows * bundle.rate;
    double used = bundle.load - load;
    bundle.load = load;
    for (int place = 0; place < bundle.links.length; place++) {
      Link link = bundle.links[place];
      link.advance(loop.nowNanos());
      link.load -= used;
      link.endedFlows++;
      link.endedFlowsBytes += receivedBytes;
      if (link.isSaturated()) {
        upset.add(link);
      }
      if (isEmpty) {
        link.detach(bundle, place);
      }
    }
    if (isEmpty) {
      bundles.remove(bundle.path);
    }
  }
}
