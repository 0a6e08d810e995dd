package org.rackweave.sim.reading;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.rackweave.eafr.ServerRole;
import org.rackweave.model.PowerState;
import org.rackweave.model.PowerTable;
import org.rackweave.sim.cluster.EnergyMeter;
import org.rackweave.sim.engine.BrokenInvariantException;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.engine.Streams;
import org.rackweave.sim.statistics.Sample;
import org.rackweave.sim.workload.WeightedChoice;

/**
 * One system under one load with one seed. Servers, files, askings and readers are drawn from
 * streams of their own: all systems meet the same. Single-threaded, no wall clock.
 */
public final class ReadRun {
  /**
   * What a sleeping server draws if its memory and disks sleep, too, as section 3.2.1 has it: a
   * blade's nap in the paper that "powernap" (section 3.1) is from, Meisner and others, ASPLOS
   * 2009, to the watt.
   */
  public static final double NAP_WATTS = 10;

  /** Table 2 at 0 %. */
  private static final double IDLE_WATTS = 93.7;

  private static final long EVENTS_MAX = 4_000_000_000L;
  static final long HEARTBEAT_MS = 3000;
  private static final long LOOK_NANOS = 60 * SimTime.NANOS_PER_SEC;
  private static final int LOOKS = 10;
  private static final double MEGABYTE = 1e6;
  private static final double SECONDS_PER_DAY = 86_400;

  private final EventLoop loop = new EventLoop(EVENTS_MAX);
  private final ServerPark park;
  private final TracedFiles files;
  private final ReadLoad load;
  private final ReadPool pool;
  private final ReplicaMap replicas;
  private final ReadSystem system;
  private final WeightedChoice popularity;
  private final SplittableRandom askings;
  private final SplittableRandom updates;
  private final LatencyLog latencies = new LatencyLog(ReadLoad.LATE_NANOS);
  private final int[] peaks;
  private final double[] highest;
  private final double[] drawn;
  private final int[] sentNow;
  private final EnergyMeter meter;
  private final EnergyMeter napping;
  private double[] utilisation = {};
  private double[] overheads = new double[1024];
  private int overheadCount;
  private int looks;
  private double factorSum;
  private long factorCount;

  /** Makes a system for a run. */
  @FunctionalInterface
  public interface SystemMaker {
    ReadSystem make(Setting setting);
  }

  /**
   * What a system is made for.
   *
   * @param readsNow reads under way and waiting at each server
   * @param random a stream of its own
   */
  public record Setting(
      EventLoop loop,
      ServerPark park,
      ReplicaMap replicas,
      IntUnaryOperator readsNow,
      SplittableRandom random) {

    /** HDFS with so many replicas. */
    public ReadSystem fixed(int factor) {
      return new FixedSystem(park, replicas, factor, random);
    }

    public ReadSystem cdrm(CdrmSystem.Target target) {
      return new CdrmSystem(park, replicas, lanes(), target, random);
    }

    public ReadSystem eafr(EafrSettings settings) {
      return new EafrSystem(this, lanes(), settings);
    }

    private CopyLanes lanes() {
      return new CopyLanes(loop, replicas, park.linkBytesPerSec());
    }
  }

  public ReadRun(ServerPark park, TracedFiles files, ReadLoad load, SystemMaker maker, long seed) {
    Streams streams = new Streams(seed);
    this.park = park;
    this.files = files;
    this.load = load;
    pool = new ReadPool(loop, park);
    replicas = new ReplicaMap(files.sizeBytes(), park.storageBytes());
    system = maker.make(new Setting(loop, park, replicas, pool::reads, streams.of("system")));
    popularity = new WeightedChoice(files.reads());
    askings = streams.of("askings");
    updates = streams.of("updates");
    peaks = new int[park.servers()];
    highest = new double[park.servers()];
    drawn = new double[park.servers()];
    sentNow = new int[park.servers()];
    meter = new EnergyMeter(loop, PowerTable.eafr(IDLE_WATTS), park.servers());
    napping = new EnergyMeter(loop, PowerTable.eafr(NAP_WATTS), park.servers());
  }

  /**
   * Runs.
   *
   * @throws BrokenInvariantException if the simulated world breaks a rule
   */
  public ReadRecord run() {
    system.begin();
    pool.log(new LatencyLog(ReadLoad.LATE_NANOS));
    pool.watch(this::meterLoad);
    loop.at(nextAsking(), this::ask);
    loop.after(SimTime.ofMs(HEARTBEAT_MS), this::heartbeats);
    loop.after(LOOK_NANOS, this::look);
    loop.after(SimTime.ofMs(EafrSettings.INTERVAL_MS), this::endInterval);
    loop.at(load.warmUpNanos(), this::beginToCount);
    loop.runUntil(load.durationNanos());
    check();
    Map<org.rackweave.eafr.Action, Integer> changes =
        system instanceof EafrSystem eafr ? eafr.done() : Map.of();
    return new ReadRecord(
        latencies,
        pool.waiting(),
        new Sample(utilisation),
        new Sample(Arrays.copyOf(overheads, overheadCount)),
        replicas.readableBytes(),
        replicas,
        power(),
        system instanceof EafrSystem eafr ? eafr.servers(ServerRole.COLD) : 0,
        changes,
        factorSum / factorCount);
  }

  private long nextAsking() {
    return loop.nowNanos() + SimTime.ofSeconds(askings.nextExponential() / load.askingsPerSec());
  }

  private void ask() {
    int file = popularity.draw(askings);
    double size =
        load.isWholeFile()
            ? files.sizeBytes()[file]
            : Math.min(files.sizeBytes()[file], ReadPool.RESPONSE_BYTES);
    factorSum += replicas.holders(file).length;
    factorCount++;
    for (int i = 0; i < load.together(); i++) {
      int reader = askings.nextInt(park.servers());
      int server = system.serverFor(file, reader);
      pool.ask(server, reader, size);
      sentNow[server]++;
    }
    for (int server : replicas.holders(file)) {
      if (sentNow[server] > 0) {
        system.sent(file, server, sentNow[server]);
        sentNow[server] = 0;
      }
    }
    pool.settle();
    loop.at(nextAsking(), this::ask);
  }

  private void heartbeats() {
    for (int server = 0; server < peaks.length; server++) {
      int reads = pool.reads(server);
      peaks[server] = Math.max(peaks[server], reads);
      system.reported(server, reads);
    }
    system.allReported();
    loop.after(SimTime.ofMs(HEARTBEAT_MS), this::heartbeats);
  }

  private void endInterval() {
    system.endInterval(peaks);
    Arrays.fill(peaks, 0);
    for (int server = 0; server < peaks.length; server++) {
      meterState(server);
    }
    check();
    loop.after(SimTime.ofMs(EafrSettings.INTERVAL_MS), this::endInterval);
  }

  private void check() {
    String fault = pool.fault();
    fault = fault != null ? fault : replicas.fault(system.underWayBytes());
    if (fault != null) {
      throw new IllegalStateException("the simulated world is wrong: " + fault);
    }
  }

  private void beginToCount() {
    pool.log(latencies);
    factorSum = 0;
    factorCount = 0;
    drawn[0] = meter.kilowattHours();
    drawn[1] = meter.allOnKilowattHours();
    drawn[2] = napping.kilowattHours();
    loop.after(updateGap(), this::update);
  }

  private ReadRecord.Power power() {
    double days = SimTime.toSeconds(load.durationNanos() - load.warmUpNanos()) / SECONDS_PER_DAY;
    return new ReadRecord.Power(
        (meter.kilowattHours() - drawn[0]) / days,
        (meter.allOnKilowattHours() - drawn[1]) / days,
        (napping.kilowattHours() - drawn[2]) / days);
  }

  private void meterLoad(int server) {
    double busy = pool.utilisation(server);
    meter.setLoad(server, busy);
    napping.setLoad(server, busy);
  }

  private void meterState(int server) {
    meter.setState(server, system.power(server));
    napping.setState(server, system.power(server));
  }

  /** Once a minute; every ten minutes the highest of each server's counts (section 4.1.4). */
  private void look() {
    for (int server = 0; server < highest.length; server++) {
      highest[server] = Math.max(highest[server], pool.utilisation(server));
    }
    if (++looks % LOOKS == 0) {
      if (loop.nowNanos() > load.warmUpNanos()) {
        int from = utilisation.length;
        utilisation = Arrays.copyOf(utilisation, from + highest.length);
        System.arraycopy(highest, 0, utilisation, from, highest.length);
      }
      Arrays.fill(highest, 0);
    }
    loop.after(LOOK_NANOS, this::look);
  }

  /** So that each file of the trace is updated once in its four hours. */
  private long updateGap() {
    double perSec = files.readCount() / TracedFiles.TRACE_SECONDS;
    return SimTime.ofSeconds(updates.nextExponential() / perSec);
  }

  /**
   * What an update of a random file of the trace would cost now: each replica that is awake takes
   * the file over a link shared with the reads under way there. Those asleep are updated later
   * (section 4.1.5).
   */
  private void update() {
    int file = updates.nextInt(files.readCount());
    double size = files.sizeBytes()[file];
    double latencyMs = 0;
    for (int server : replicas.holders(file)) {
      if (system.power(server) == PowerState.ON) {
        latencyMs += 1e3 * size * (1 + pool.serving(server)) / park.linkBytesPerSec();
      }
    }
    if (overheadCount == overheads.length) {
      overheads = Arrays.copyOf(overheads, overheads.length * 2);
    }
    overheads[overheadCount++] = latencyMs * size / MEGABYTE;
    loop.after(updateGap(), this::update);
  }
}
