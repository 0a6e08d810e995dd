package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.telemetry.LinkClass;
import org.rackweave.telemetry.LinkCounters;
import org.rackweave.telemetry.LinkMeter;
import org.rackweave.telemetry.LinkRates;

/**
 * The rates of the link that one {@link HeartbeatAgent} reports on. {@link LinkWatch} has it
 * sampled several times a second, and each heartbeat once more.
 *
 * <p>Thread-safe: one thread samples, another makes heartbeats and never waits for it; any may
 * close.
 */
final class LinkGauge implements AutoCloseable {
  private record Reading(Optional<LinkRates> rates, LinkClass linkClass, boolean isSettled) {}

  private static final Reading NOTHING = new Reading(Optional.empty(), LinkClass.UNKNOWN, false);

  private final LinkSampler sampler;
  private final LinkWatch watch;
  private final AgentMetrics metrics;
  private final LongSupplier nanos;
  private final long heartbeatIntervalMs;

  /** Held while the counters are read, so that they are taken in the order of their moments. */
  private final ReentrantLock sampling = new ReentrantLock();

  private final LinkMeter meter = new LinkMeter();

  /** {@code null} while there is no link. */
  private volatile String datanodeUuid;

  private volatile long linkBytesPerSec;
  private volatile Reading reading = NOTHING;
  private volatile LinkClass reported = LinkClass.UNKNOWN;
  private volatile boolean isAsked;
  private volatile boolean isClosed;

  /**
   * @param nanos monotonic time
   * @param heartbeatIntervalMs of regular heartbeats
   */
  LinkGauge(
      LinkSampler sampler,
      LinkWatch watch,
      AgentMetrics metrics,
      LongSupplier nanos,
      long heartbeatIntervalMs) {
    this.sampler = sampler;
    this.watch = watch;
    this.metrics = metrics;
    this.nanos = nanos;
    this.heartbeatIntervalMs = heartbeatIntervalMs;
  }

  /**
   * The rates now, for a heartbeat that is being made; none until two samples were taken, and when
   * that fails.
   *
   * @param uuid of the DataNode, whose sampler has found its link
   * @param bytesPerSec speed of the link; 0 = unknown
   */
  Optional<LinkRates> report(String uuid, long bytesPerSec) {
    linkBytesPerSec = bytesPerSec;
    if (!uuid.equals(datanodeUuid)) {
      datanodeUuid = uuid;
      watch.add(this);
    }
    sample();
    Reading now = reading;
    reported = now.linkClass();
    isAsked = false;
    return now.rates();
  }

  /** Says that there is no link, until the next report. */
  void lose() {
    datanodeUuid = null;
    reading = NOTHING;
  }

  /** Takes a sample, unless another thread is about to. Never throws but for an interrupt. */
  void sample() {
    String uuid = datanodeUuid;
    if (uuid == null || !sampling.tryLock()) {
      return;
    }
    try {
      if (!HookGuard.run(Hook.LINK_SAMPLE, () -> take(uuid))) {
        metrics.sampleFailed();
        reading = NOTHING;
      }
    } finally {
      sampling.unlock();
    }
  }

  private void take(String uuid) throws IOException {
    long now = nanos.getAsLong();
    Optional<LinkCounters> counters = sampler.counters(uuid);
    if (counters.isEmpty()) {
      meter.restart();
      reading = NOTHING;
      return;
    }
    meter.sample(now, counters.get());
    double speed = linkBytesPerSec;
    LinkClass next = LinkClass.of(reading.linkClass(), meter.othersBytesPerSec(), speed);
    // While a load rises or falls, its smoothed rate passes classes that are not to be told of.
    boolean isSettled = LinkClass.of(next, meter.othersLastMeasured(), speed) == next;
    reading = new Reading(meter.rates(), next, isSettled);
  }

  String datanodeUuid() {
    return datanodeUuid;
  }

  long heartbeatIntervalMs() {
    return heartbeatIntervalMs;
  }

  /** Whether the class of the link is another one than was reported. */
  boolean hasNews() {
    Reading now = reading;
    return now.isSettled()
        && now.linkClass() != LinkClass.UNKNOWN
        && reported != LinkClass.UNKNOWN
        && now.linkClass() != reported
        && !isAsked;
  }

  /** Whether a heartbeat is on its way that will bring the news; one that is made ends this. */
  void ask(boolean isUnderWay) {
    isAsked = isUnderWay;
  }

  boolean isClosed() {
    return isClosed;
  }

  @Override
  public void close() {
    isClosed = true;
    watch.remove(this);
    lose();
  }
}
