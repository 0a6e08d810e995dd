package org.rackweave.hdfs.eafr;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReceivedAndDeletedRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.Time;
import org.rackweave.eafr.RepairRotation;
import org.rackweave.eafr.ServerRole;
import org.rackweave.eafr.Servers;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.EafrConfig;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.hook.ActiveService;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookTimer;
import org.rackweave.hdfs.roles.ReadLoad;
import org.rackweave.hdfs.roles.ServerRoles;
import org.rackweave.hdfs.roles.SleepLookup;
import org.rackweave.hdfs.roles.WakeHold;
import org.rackweave.history.EventLog;
import org.rackweave.telemetry.ReportListener;
import org.rackweave.telemetry.ReportReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * EAFR in one NameNode: counts reads all the time, decides several times an interval, and carries
 * out what was decided. Works only in an active NameNode out of safe mode; when another becomes
 * active everything known is forgotten, and what lasts is in the files. A change that is under way
 * when another takes over is refused by this NameNode itself or fenced with its edit log.
 *
 * <p>One thread does all of it, so nothing here is done twice at a time. {@link #heard}, {@link
 * #factorSet} and what {@link #admin} gives may be called by any.
 */
public final class EafrService
    implements AutoCloseable, ReportListener, ReadInterceptor.FactorListener {
  private static final Logger LOG = LoggerFactory.getLogger(EafrService.class);
  private static final long TICK_MS = 250;

  /** Part of a tick that passes over files may take. */
  private static final long PASS_NANOS = 25_000_000;

  /** How often the odds of destinations are drawn up. */
  private static final long DRAW_UP_MS = 2000;

  /** Users' calls that wait to be noted; of others a factor that differs tells. */
  private static final int NOTED_MAX = 10_000;

  private final NameNode nameNode;

  /** Those in force, which change while this runs. */
  private final Supplier<EafrConfig> settings;

  private final Supplier<ClusterView> cluster;
  private final FileLookup lookup;
  private final ReadCounting counting;

  /** {@code null} where all servers are hot. */
  private final ServerRoles roles;

  /** {@code null} where none sleeps. */
  private final WakeHold hold;

  private final ServerLoads loads;
  private final Controller controller;
  private final EafrAdmin admin;
  private final RepairDetector detector;
  private final RepairRotation turns = new RepairRotation();
  private final CopySources sources;
  private final TransferTimes transfers;
  private final TransferRates rates;
  private final Consumer<Destinations> destinations;
  private final Consumer<ReadRouting> readers;
  private final Queue<String> setByUsers = new ArrayBlockingQueue<>(NOTED_MAX);
  private final HookTimer thread = new HookTimer("rackweave-eafr");

  private final ActiveService service;

  /** Whether this NameNode counts in its term. */
  private volatile boolean isBegun;

  private volatile ClusterView known;
  private volatile ReadRouting routing;
  private long drawnUpMs;

  /**
   * What the rest of Rackweave knows.
   *
   * @param cluster the DataNodes, {@code null} as long as none are known
   * @param modes what is done with decisions
   * @param encoded files that are encoded, or are to be
   * @param destinations told who gets new replicas, {@code null} when that is not known
   * @param readers told who sends readers to replicas, {@code null} when nobody does
   * @param isLeftToDayu whether Dayu names rates and chooses sources
   * @param modeSwitch changes modes for all NameNodes
   * @param staleMs how long a DataNode's report counts
   * @param events told what has been changed
   */
  public record Environment(
      Supplier<ClusterView> cluster,
      Supplier<FeatureModes> modes,
      EncodedPaths encoded,
      Consumer<Destinations> destinations,
      Consumer<ReadRouting> readers,
      BooleanSupplier isLeftToDayu,
      ModeSwitch modeSwitch,
      long staleMs,
      EventLog events) {}

  /** Changes what is done with decisions, for all NameNodes and for good. */
  @FunctionalInterface
  public interface ModeSwitch {
    /**
     * @param words as {@link FeatureModes#with(List)} takes them
     * @throws IllegalStateException when they are in force here, and cannot be kept
     */
    void say(List<String> words) throws IOException;
  }

  /** What EAFR asks of its NameNode. */
  public interface NameNodeAccess {
    /** Its memory of files and their replicas. */
    FileLookup files();

    /** What changes files' factors. */
    FactorChange factors();

    /** What moves replicas. */
    ReplicaMoves moves();

    /** The copies that their sources have not been told of. */
    WaitingCopies copies();

    /** Its memory of servers that sleep. */
    SleepLookup sleep();
  }

  /**
   * @param hold what copies heed while sleeping servers are woken, {@code null} where none sleeps
   */
  public EafrService(
      NameNode nameNode,
      NameNodeAccess access,
      Supplier<EafrConfig> settings,
      WakeHold hold,
      Environment around) {
    this.nameNode = nameNode;
    this.settings = settings;
    this.hold = hold;
    cluster = around.cluster();
    lookup = access.files();
    counting =
        new ReadCounting(
            lookup, settings.get().trackedFiles(), () -> terms(settings.get(), around.staleMs()));
    roles =
        settings.get().roles().isOn()
            ? new ServerRoles(
                nameNode,
                access.sleep(),
                settings,
                this::readLoad,
                hold,
                around.events(),
                new ServerRoles.Switches(this::maySleep, this::isSleepOff))
            : null;
    loads =
        new ServerLoads(
            settings, around.staleMs(), roles == null ? uuid -> ServerRole.HOT : roles::roleOf);
    rates =
        new TransferRates(() -> settings.get().rates(), around.isLeftToDayu(), around.staleMs());
    controller =
        new Controller(
            Controller.NameNodeCalls.of(access, around.events()),
            settings,
            counting,
            loads,
            around.encoded(),
            rates,
            around.modes());
    detector = new RepairDetector(lookup, counting);
    sources =
        new CopySources(
            () -> settings.get().choosesSources(),
            around.isLeftToDayu(),
            access.copies(),
            around.events());
    transfers = new TransferTimes(() -> settings.get().alpha());
    destinations = around.destinations();
    readers = around.readers();
    admin = new EafrAdmin(this, controller, rates, sources, roles, around);
    service = new ActiveService(nameNode, this::rest, this::work);
  }

  private static ReadCounting.Terms terms(EafrConfig now, long staleMs) {
    return new ReadCounting.Terms(
        now.thresholds(), now.decay(), now.intervalMs(), Math.min(staleMs, now.intervalMs()));
  }

  /** What counts reads. */
  public ReadCounting counting() {
    return counting;
  }

  /** A DataNode's role; for any thread. */
  public ServerRole roleOf(String uuid) {
    return roles == null ? ServerRole.HOT : roles.roleOf(uuid);
  }

  /** What is counted of all this. */
  public EafrMetrics metrics() {
    return new EafrMetrics(
        counting, controller, rates, sources, roles == null ? null : roles.metrics());
  }

  /**
   * A DataNode has sent a heartbeat that HDFS is going to answer; for any thread.
   *
   * @param namespaces that its agent says it serves, 0 where it does not say
   */
  public void heartbeat(String datanodeUuid, int namespaces) {
    if (roles != null) {
      roles.heard(datanodeUuid, namespaces);
    }
    if (isWorking()) {
      sources.heartbeat(datanodeUuid);
    }
  }

  /** HDFS answers a heartbeat; for any thread, as the next ones. */
  public void answered(HeartbeatResponseProto response) {
    if (isWorking()) {
      transfers.answered(response);
    }
  }

  /**
   * The same for a DataNode with an agent.
   *
   * @param enforcesRates whether it tells how far copies with a rate are
   * @return the rates of its copies, {@code null} for none
   */
  public byte[] rates(String datanodeUuid, boolean enforcesRates, HeartbeatResponseProto response) {
    return isWorking()
        ? rates.answered(datanodeUuid, enforcesRates, response, Time.monotonicNow())
        : null;
  }

  /** A DataNode has received or deleted blocks. */
  public void received(BlockReceivedAndDeletedRequestProto report) {
    if (isWorking()) {
      transfers.received(report);
      rates.received(report);
    }
  }

  /**
   * What a DataNode says it has received, with a hint at each replica that was moved which other
   * one goes instead; for any thread.
   */
  public BlockReceivedAndDeletedRequestProto hint(BlockReceivedAndDeletedRequestProto report) {
    return controller.mover().underWay().hint(report);
  }

  /** What operators ask for. */
  public EafrAdmin admin() {
    return admin;
  }

  /** Begins; returns at once. */
  public void start() {
    if (roles != null) {
      thread.every(Hook.SERVER_ROLES, ServerRoles.ROUND_MS, roles::tick);
    }
    thread.every(Hook.EAFR, TICK_MS, service::tick, this::letGo);
  }

  @Override
  public void close() {
    // Not interrupted: who writes to the edit log would take that with it.
    thread.close();
    if (roles != null) {
      roles.close();
    }
  }

  @Override
  public void heard(String nodeId, ReportReader report, long nowMs) {
    if (!settings.get().isOn()) {
      return;
    }
    loads.heard(nodeId, report, nowMs);
    rates.heardAgent(nowMs);
    counting.told(nodeId, report.topReads(), report.missedReads(), nowMs);
  }

  @Override
  public void factorSet(String path) {
    if (isWorking()) {
      setByUsers.offer(path);
    }
  }

  @Override
  public void sentTo(String datanodeUuid) {
    ReadRouting current = routing;
    if (current != null) {
      current.sent(datanodeUuid);
    }
  }

  /**
   * Whether this NameNode decides, and what it decides can be kept.
   *
   * @throws IllegalStateException when it does not
   */
  void checkWorking() {
    if (!isWorking() || nameNode.isInSafeMode()) {
      throw new IllegalStateException(
          "the NameNode is not active, or in safe mode, or no rule has the word heat, of which"
              + " heat=none will do");
    }
  }

  FileLookup files() {
    return lookup;
  }

  /** What it goes by. */
  EafrConfig settings() {
    return settings.get();
  }

  /** Whether this NameNode counts and decides. */
  public boolean isWorking() {
    return isBegun && service.isCurrent();
  }

  /**
   * Has the service's thread do something, between two ticks.
   *
   * @throws IllegalStateException when it does not get to it in time, or the service is closed
   */
  <T> T inTurn(Callable<T> work, long waitMs) {
    return inTurn(thread, work, waitMs);
  }

  /** What does not get its turn in time never does, so that those who ask again do not pile up. */
  static <T> T inTurn(Executor thread, Callable<T> work, long waitMs) {
    FutureTask<T> turn = new FutureTask<>(work);
    try {
      thread.execute(turn);
      return turn.get(waitMs, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      throw new IllegalStateException("the NameNode is closing", e);
    } catch (TimeoutException e) {
      turn.cancel(false); // not interrupted: who writes to the edit log would take that with it
      throw new IllegalStateException("the service is busy; try again", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private void work(long term) {
    if (!settings.get().isOn()) {
      rest();
      return;
    }
    ClusterView state = cluster.get();
    if (state == null || nameNode.isInSafeMode()) {
      return;
    }
    long nowMs = Time.monotonicNow();
    if (!isBegun) {
      controller.begin(nowMs);
      counting.begin();
      drawnUpMs = nowMs - DRAW_UP_MS;
      isBegun = true;
      LOG.info("EAFR starts: {}", settings.get());
    }
    work(state, term, nowMs);
  }

  private boolean maySleep() {
    return controller.maySleep();
  }

  private boolean isSleepOff() {
    return controller.isSleepOff();
  }

  /** Nobody renews what others go by: stock HDFS places and reads, and copies have no rates. */
  private void letGo() {
    destinations.accept(null);
    readers.accept(null);
    rates.clear();
  }

  /** What was known is another NameNode's to know now. */
  private void rest() {
    isBegun = false;
    letGo();
    counting.end();
    setByUsers.clear();
    controller.end();
    sources.forget();
  }

  private ReadLoad readLoad(String uuid) {
    return loads.of(uuid);
  }

  private void work(ClusterView state, long term, long nowMs) {
    ClusterView before = known;
    if (before == null || before.datanodes() != state.datanodes()) {
      counting.retainOnly(
          Arrays.stream(state.datanodes()).map(DatanodeDescriptor::getDatanodeUuid).toList());
    }
    known = state;
    counting.count(nowMs);
    loads.look(state, nowMs);
    rates.look(state, nowMs);
    sources.expire(nowMs);
    for (String path = setByUsers.poll(); path != null; path = setByUsers.poll()) {
      controller.factorSet(path);
    }
    if (nowMs - drawnUpMs >= DRAW_UP_MS
        || before == null
        || before.datanodes() != state.datanodes()) {
      drawnUpMs = nowMs;
      transfers.look(state, nowMs);
      Servers servers = loads.servers(state);
      destinations.accept(
          Destinations.of(
              servers,
              transfers.bytesPerSec(),
              settings.get(),
              detector,
              turns,
              sources.inForce()));
      routing =
          routing == null || before == null || before.datanodes() != state.datanodes()
              ? ReadRouting.of(state, servers, loads.queues())
              : routing.with(servers);
      readers.accept(routing);
    }
    controller.goOn(state, nowMs, PASS_NANOS);
    boolean isHeld = hold != null && hold.holds(term, nowMs);
    controller.move(state, !isHeld, term, nowMs);
  }

  /** What is known of the DataNodes, {@code null} before the first tick. */
  ClusterView state() {
    return known;
  }
}
