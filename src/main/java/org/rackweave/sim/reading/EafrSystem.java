package org.rackweave.sim.reading;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.rackweave.eafr.Action;
import org.rackweave.eafr.Candidate;
import org.rackweave.eafr.DestinationOdds;
import org.rackweave.eafr.FileChange;
import org.rackweave.eafr.FileHistory;
import org.rackweave.eafr.FileKind;
import org.rackweave.eafr.FileShape;
import org.rackweave.eafr.FileState;
import org.rackweave.eafr.HeldBack;
import org.rackweave.eafr.LotteryPlacement;
import org.rackweave.eafr.Popularity;
import org.rackweave.eafr.RackRule;
import org.rackweave.eafr.ReadOrder;
import org.rackweave.eafr.ReadQueues;
import org.rackweave.eafr.ReplicaChoice;
import org.rackweave.eafr.ReplicationPlan;
import org.rackweave.eafr.ReplicationPlanner;
import org.rackweave.eafr.RoleAssignment;
import org.rackweave.eafr.RoleChange;
import org.rackweave.eafr.RolePlanner;
import org.rackweave.eafr.RoleRules;
import org.rackweave.eafr.ServerRole;
import org.rackweave.eafr.Servers;
import org.rackweave.eafr.Thresholds;
import org.rackweave.eafr.TransferSpeeds;
import org.rackweave.eafr.WorkInHand;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.PowerState;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.Refusal;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.reading.EafrSettings.Reading;

/** EAFR: the NameNode's own decisions, asked as the NameNode asks them. Files are single blocks. */
public final class EafrSystem implements ReadSystem {
  private static final int DRAWS_MAX = 20;
  private static final long WEEK_MS = 7 * 86_400_000L;

  /** Until a server that sleeps serves again. */
  private static final long WAKE_MS = 60_000;

  private final EventLoop loop;
  private final ClusterTopology topology;
  private final ServerPark park;
  private final ReplicaMap replicas;
  private final CopyLanes copies;
  private final EafrSettings settings;
  private final SplittableRandom random;
  private final RackRule rackRule;
  private final Popularity popularity;
  private final ReplicationPlanner planner;
  private final RolePlanner rolePlanner;
  private final ServerRole[] roles;
  private final FileHistory[] histories;
  private final int[] factors;

  /** Files with a replica that migrates. */
  private final BitSet moving = new BitSet();

  private final TransferSpeeds speeds;
  private final ReadQueues queues;
  private final Map<Action, Integer> done = new EnumMap<>(Action.class);
  private final Map<HeldBack, Integer> heldBack = new EnumMap<>(HeldBack.class);
  private final IntUnaryOperator readsNow;
  private final boolean isOurs;
  private final BitSet promoted = new BitSet();
  private final BitSet waking = new BitSet();
  private ReadOrder order;

  EafrSystem(ReadRun.Setting setting, CopyLanes copies, EafrSettings settings) {
    loop = setting.loop();
    park = setting.park();
    topology = park.topology();
    replicas = setting.replicas();
    random = setting.random();
    readsNow = setting.readsNow();
    isOurs = settings.reading() == Reading.BY_LOAD;
    this.copies = copies;
    this.settings = settings;
    rackRule = RackRule.hdfs(topology);
    popularity = new Popularity(replicas.files(), settings.decay());
    planner =
        new ReplicationPlanner(Thresholds.PAPER, EafrSettings.NO_RAILS, EafrSettings.RESERVE_BYTES);
    rolePlanner =
        new RolePlanner(
            new RoleRules(
                EafrSettings.RESERVE_BYTES, WEEK_MS, park.servers(), park.servers(), isOurs));
    roles = RoleAssignment.drawn(topology, settings.standbyFraction(), random.split());
    histories = new FileHistory[replicas.files()];
    factors = new int[replicas.files()];
    speeds = new TransferSpeeds(park.servers(), EafrSettings.ALPHA);
    queues = new ReadQueues(park.servers());
  }

  @Override
  public void begin() {
    RandomPlaces places = new RandomPlaces(topology, replicas, random.split());
    for (int file = 0; file < factors.length; file++) {
      places.store(
          file,
          settings.firstReplicas(),
          server -> !settings.isFresh() || roles[server] == ServerRole.HOT);
      factors[file] = replicas.holders(file).length;
      histories[file] = FileHistory.untouched(factors[file]);
    }
    order = order(servers(new int[park.servers()]));
  }

  private ReadOrder order(Servers servers) {
    return isOurs ? ReadOrder.byLoad(servers, queues) : ReadOrder.byDistance(servers, queues);
  }

  @Override
  public int serverFor(int file, int reader) {
    if (settings.reading() != Reading.RANDOM) {
      int[] holders = replicas.holders(file).clone();
      if (settings.reading() == Reading.ALGORITHM_3_ORACLE) {
        for (int holder : holders) {
          queues.reported(holder, readsNow.applyAsInt(holder), 0, nowMs());
        }
      }
      order.arrange(holders, holders.length, reader, topology.rackOf(reader), nowMs(), random);
      queues.sent(holders[0], nowMs());
      return holders[0];
    }
    int[] holders = replicas.holders(file);
    int awake = 0;
    for (int holder : holders) {
      awake += roles[holder].isAwake() ? 1 : 0;
    }
    int chosen = random.nextInt(awake);
    for (int holder : holders) {
      if (roles[holder].isAwake() && chosen-- == 0) {
        return holder;
      }
    }
    throw new IllegalStateException("nobody awake has file " + file);
  }

  @Override
  public void sent(int file, int server, int reads) {
    popularity.record(file, file, server, reads);
  }

  @Override
  public void reported(int server, int reads) {
    queues.reported(server, reads, isOurs ? ReadRun.HEARTBEAT_MS : 0, nowMs());
  }

  @Override
  public void allReported() {
    if (isOurs) {
      followReads();
    }
  }

  /** Roles follow the load; who sleeps takes a while to wake. */
  private void followReads() {
    int[] now = new int[roles.length];
    Arrays.setAll(now, readsNow);
    Servers servers = servers(now);
    List<RoleChange> changes = new ArrayList<>(rolePlanner.toHot(servers));
    changes.addAll(rolePlanner.toStandby(servers, promoted::get));
    for (RoleChange change : changes) {
      roles[change.node()] = change.to();
      promoted.set(change.node(), change.to() == ServerRole.HOT);
    }
    for (RoleChange change : rolePlanner.toServe(servers, waking)) {
      waking.set(change.node());
      loop.after(SimTime.ofMs(WAKE_MS), () -> woken(change));
    }
    order = order(servers);
  }

  private void woken(RoleChange change) {
    waking.clear(change.node());
    roles[change.node()] = change.to();
  }

  @Override
  public void endInterval(int[] peaks) {
    speeds.endWindow();
    Servers servers = servers(peaks);
    ReplicationPlan plan = planner.plan(candidates(), servers, workInHand(), nowMs());
    plan.heldBack().forEach((reason, files) -> heldBack.merge(reason, files, Integer::sum));
    carryOut(plan, servers, peaks);
    for (RoleChange change :
        rolePlanner.toCold(servers(peaks), this::keepsEveryBlockAwake, copies::isBusy)) {
      roles[change.node()] = change.to();
    }
    order = order(servers(peaks));
    popularity.endInterval();
  }

  private long nowMs() {
    return SimTime.toMs(loop.nowNanos());
  }

  private Servers servers(int[] peaks) {
    Servers.Builder built = Servers.of(topology, 1);
    for (int server = 0; server < roles.length; server++) {
      built
          .role(server, roles[server])
          .capacity(server, park.places()[server])
          .reads(server, peaks[server])
          .freeBytes(server, replicas.freeBytes(server));
    }
    return built.build();
  }

  private List<Candidate> candidates() {
    List<Candidate> candidates = new ArrayList<>(factors.length);
    for (int file = moving.nextClearBit(0);
        file < factors.length;
        file = moving.nextClearBit(file + 1)) {
      int[] holders = replicas.holders(file);
      long[] servers = Arrays.stream(holders).asLongStream().toArray();
      FileState state =
          new FileState(
              file,
              factors[file],
              holders,
              new FileShape(replicas.sizeBytes(file), 1, 0, FileKind.REPLICATED),
              histories[file],
              settings.rule());
      candidates.add(
          new Candidate(
              state, popularity.readsOf(file, new long[] {file}, new long[][] {servers})));
    }
    return candidates;
  }

  private static WorkInHand workInHand() {
    return new WorkInHand(0, 0, (file, bytes) -> true);
  }

  private void carryOut(ReplicationPlan plan, Servers atFirst, int[] peaks) {
    DestinationOdds odds = DestinationOdds.of(atFirst, speeds.expected(), EafrSettings.BETA, 0);
    LotteryPlacement lottery = new LotteryPlacement(odds, DRAWS_MAX, topology.nodeCount());
    ReplicaChoice atPlan = choice(atFirst);
    for (FileChange change : plan.changes()) {
      boolean isDone =
          switch (change.action()) {
            case ADD, RESTORE -> add(change, lottery);
            case DELETE -> delete(change, atPlan);
            case MIGRATE -> migrate(change, choice(servers(peaks)));
          };
      if (isDone) {
        int file = (int) change.fileId();
        factors[file] = change.toFactor();
        histories[file] = histories[file].after(change, nowMs());
        done.merge(change.action(), 1, Integer::sum);
      }
    }
  }

  private ReplicaChoice choice(Servers servers) {
    return new ReplicaChoice(
        servers, rackRule, settings.rule().hotReplicas(), EafrSettings.RESERVE_BYTES);
  }

  private boolean add(FileChange change, LotteryPlacement lottery) {
    int file = (int) change.fileId();
    long size = replicas.sizeBytes(file);
    int[] holders = replicas.holders(file);
    PlacementRequest request =
        new PlacementRequest(
            1,
            ClusterTopology.NONE,
            ClusterTopology.NONE,
            holders,
            false,
            false,
            ClusterTopology.NONE,
            holders.length + 1,
            0,
            size);
    PlacementDecision decision =
        lottery.choose(
            request,
            (node, local) -> replicas.freeBytes(node) >= size ? null : Refusal.NO_SPACE,
            random);
    if (!decision.stands()) {
      return false;
    }
    int to = decision.nodes()[decision.nodes().length - 1];
    copies.copy(file, to, nanos -> speeds.completed(to, size, nanos));
    return true;
  }

  private boolean delete(FileChange change, ReplicaChoice choice) {
    int file = (int) change.fileId();
    int from = choice.toDelete(replicas.holders(file));
    if (from == ClusterTopology.NONE) {
      return false;
    }
    replicas.remove(file, from);
    return true;
  }

  private boolean migrate(FileChange change, ReplicaChoice choice) {
    int file = (int) change.fileId();
    ReplicaChoice.Move move = choice.toMigrate(replicas.holders(file), replicas.sizeBytes(file));
    if (move == null) {
      return false;
    }
    moving.set(file);
    long size = replicas.sizeBytes(file);
    copies.copy(
        file,
        move.to(),
        nanos -> {
          moving.clear(file);
          replicas.remove(file, move.from());
          speeds.completed(move.to(), size, nanos);
        });
    return true;
  }

  /** Whether each file of a server is awake elsewhere. */
  private boolean keepsEveryBlockAwake(int server, BitSet asleep) {
    for (int file = 0; file < factors.length; file++) {
      if (replicas.isHolder(file, server)
          && Arrays.stream(replicas.holders(file)).allMatch(asleep::get)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public PowerState power(int server) {
    return roles[server].isAwake() ? PowerState.ON : PowerState.STANDBY;
  }

  @Override
  public long[] underWayBytes() {
    return copies.underWayBytes();
  }

  /** Servers of one role. */
  int servers(ServerRole role) {
    return (int) Arrays.stream(roles).filter(one -> one == role).count();
  }

  /** Changes carried out. */
  Map<Action, Integer> done() {
    return Map.copyOf(done);
  }

  /** Hot and cold files left as they were, by reason, added up over all intervals. */
  Map<HeldBack, Integer> heldBack() {
    return Map.copyOf(heldBack);
  }
}
