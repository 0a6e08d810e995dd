package org.rackweave.sim.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.workload.AuditReplay;
import org.rackweave.sim.workload.Clients;
import org.rackweave.sim.workload.CoflowLookAlike;
import org.rackweave.sim.workload.CoflowTrace;
import org.rackweave.sim.workload.FileShape;
import org.rackweave.sim.workload.HotRacks;
import org.rackweave.sim.workload.InputException;
import org.rackweave.sim.workload.KnownClients;
import org.rackweave.sim.workload.ListedFiles;
import org.rackweave.sim.workload.NodeForeground;
import org.rackweave.sim.workload.PairedStreams;
import org.rackweave.sim.workload.PoissonWrites;
import org.rackweave.sim.workload.PopularReads;
import org.rackweave.sim.workload.RandomTransfers;
import org.rackweave.sim.workload.ShuffleTraffic;
import org.rackweave.sim.workload.SteadyWriters;
import org.rackweave.sim.workload.SwimFiles;
import org.rackweave.sim.workload.SwimLookAlike;
import org.rackweave.sim.workload.SwimTrace;
import org.rackweave.sim.workload.UnionWorkload;
import org.rackweave.sim.workload.Workload;

/**
 * What arrives in one run of a scenario. Every input file is read and checked before there is one.
 *
 * @param requests of all the scenario's workloads; {@link UnionWorkload#partOf} tells whose a file
 *     or a group is
 * @param names of the workloads, in that order
 * @param notices what a reader of the results should know, a sentence each
 * @param audits what each audit log holds, by the workload's name
 */
public record ScenarioWorkload(
    UnionWorkload requests,
    List<String> names,
    List<String> notices,
    Map<String, AuditReplay.Report> audits) {

  private static final long NANOS_PER_MS = 1_000_000;

  public ScenarioWorkload {
    names = List.copyOf(names);
    notices = List.copyOf(notices);
    audits = Map.copyOf(audits);
  }

  /**
   * Builds the workloads of a scenario.
   *
   * @param machines where they run
   * @param seed of this run; each workload draws from a stream of its own, so that leaving one out
   *     changes no other
   * @throws InputException naming file, line and reason of the first input that is wrong
   */
  public static ScenarioWorkload of(
      Scenario scenario, Machines machines, InputFiles files, long seed) throws InputException {
    Builder builder = new Builder(scenario, machines, files, seed);
    Map<String, Workload> built = new LinkedHashMap<>();
    for (WorkloadSpec spec : scenario.workloads()) {
      if (spec instanceof WorkloadSpec.Shuffles shuffles) {
        built.put(spec.name(), builder.shuffles(shuffles));
      }
    }
    List<Workload> parts = new ArrayList<>();
    for (WorkloadSpec spec : scenario.workloads()) {
      Workload shuffles = built.get(spec.name());
      parts.add(shuffles == null ? builder.workload(spec, built) : shuffles);
    }
    List<String> names = scenario.workloads().stream().map(WorkloadSpec::name).toList();
    return new ScenarioWorkload(new UnionWorkload(parts), names, builder.notices, builder.audits);
  }

  /** Builds the workloads of one run. */
  private static final class Builder {
    private final Scenario scenario;
    private final ClusterTopology topology;
    private final KnownClients known;
    private final InputFiles files;
    private final long seed;
    private final long durationNanos;
    private final List<String> notices = new ArrayList<>();
    private final Map<String, AuditReplay.Report> audits = new LinkedHashMap<>();

    Builder(Scenario scenario, Machines machines, InputFiles files, long seed) {
      this.scenario = scenario;
      this.topology = machines.topology();
      this.known = machines.clients();
      this.files = files;
      this.seed = seed;
      this.durationNanos = scenario.run().durationMs() * NANOS_PER_MS;
    }

    private SplittableRandom random(WorkloadSpec spec) {
      // The hash of a String is the same everywhere, and the generator scrambles what it is given.
      return new SplittableRandom(new SplittableRandom(seed).nextLong() ^ spec.name().hashCode());
    }

    Workload workload(WorkloadSpec spec, Map<String, Workload> shuffles) throws InputException {
      if (spec instanceof WorkloadSpec.Writes writes) {
        return writes(writes, shuffles);
      }
      if (spec instanceof WorkloadSpec.Reads reads) {
        return reads(reads);
      }
      if (spec instanceof WorkloadSpec.Swim swim) {
        return swim(swim);
      }
      if (spec instanceof WorkloadSpec.Transfers transfers) {
        return transfers(transfers);
      }
      if (spec instanceof WorkloadSpec.Foreground foreground) {
        return foreground(foreground);
      }
      if (spec instanceof WorkloadSpec.Streams streams) {
        return new PairedStreams(topology.nodeCount(), streams.bandwidthBytesPerSec());
      }
      if (spec instanceof WorkloadSpec.Hot hot) {
        return hotRacks(hot);
      }
      if (spec instanceof WorkloadSpec.Steady steady) {
        return steadyWrites(steady);
      }
      if (spec instanceof WorkloadSpec.Audit audit) {
        return audit(audit);
      }
      if (spec instanceof WorkloadSpec.Stored stored) {
        return ListedFiles.read(files.need(stored.listingFile()), stored.share());
      }
      throw new IllegalStateException("no workload for " + spec.getClass());
    }

    ShuffleTraffic shuffles(WorkloadSpec.Shuffles spec) throws InputException {
      SplittableRandom random = random(spec);
      SplittableRandom lookAlike = random.split();
      Optional<Path> file = trace(spec.name(), spec.traceFile(), spec.required());
      CoflowTrace trace =
          file.isPresent()
              ? CoflowTrace.read(file.get())
              : CoflowLookAlike.draw(lookAlikeRacks(), spec.periodMs(), lookAlike);
      ShuffleTraffic.Playing playing =
          new ShuffleTraffic.Playing(
              spec.times(),
              spec.periodMs(),
              spec.reshuffle(),
              spec.speed(),
              spec.copies(),
              spec.sizeFactor());
      return new ShuffleTraffic(trace, playing, topology, random);
    }

    private int lookAlikeRacks() {
      return Math.max(CoflowLookAlike.RACKS_MIN, topology.rackCount());
    }

    /** The trace's file, or nothing when a look-alike stands for it. */
    private Optional<Path> trace(String workload, Optional<String> name, boolean required)
        throws InputException {
      if (name.isEmpty()) {
        return Optional.empty();
      }
      if (required) {
        return Optional.of(files.need(name.get()));
      }
      Optional<Path> found = files.find(name.get());
      if (found.isEmpty()) {
        notices.add(
            "The trace "
                + name.get()
                + " of "
                + workload
                + " is not here: a look-alike was drawn.");
      }
      return found;
    }

    private Workload writes(WorkloadSpec.Writes spec, Map<String, Workload> shuffles) {
      Clients writers =
          switch (spec.writers()) {
            case NODES -> Clients.anyNode(topology);
            case OUTSIDE -> Clients.outside();
            case REDUCERS ->
                ((ShuffleTraffic) shuffles.get(spec.reducersOf().orElseThrow()))
                    .reducersWithin(spec.reducerWindowMs() * NANOS_PER_MS);
          };
      FileShape shape = new FileShape(spec.sizeBytes(), spec.blockBytes(), spec.replication());
      return new PoissonWrites(spec.ratePerSec(), durationNanos, shape, writers, random(spec));
    }

    private Clients clients(WorkloadSpec.Who who) {
      return who == WorkloadSpec.Who.OUTSIDE ? Clients.outside() : Clients.anyNode(topology);
    }

    private Workload reads(WorkloadSpec.Reads spec) {
      return new PopularReads(
          spec.files(),
          new FileShape(spec.sizeBytes(), spec.blockBytes(), spec.replication()),
          spec.popularity(),
          new PopularReads.Rate(spec.ratePerSec(), spec.together(), durationNanos),
          clients(spec.readers()),
          random(spec));
    }

    private Workload swim(WorkloadSpec.Swim spec) throws InputException {
      SplittableRandom random = random(spec);
      SplittableRandom lookAlike = random.split();
      Optional<Path> file = trace(spec.name(), spec.traceFile(), spec.required());
      long playedMs = (long) Math.ceil(scenario.run().durationMs() * spec.speed());
      SwimTrace trace =
          file.isPresent() ? SwimTrace.read(file.get()) : SwimLookAlike.draw(playedMs, lookAlike);
      SwimFiles.Use use =
          new SwimFiles.Use(
              spec.reads(),
              spec.writes(),
              spec.partBytes(),
              spec.blockBytes(),
              spec.replication(),
              spec.speed(),
              durationNanos);
      return new SwimFiles(trace, use, clients(spec.clients()), random);
    }

    private Workload transfers(WorkloadSpec.Transfers spec) throws InputException {
      if (topology.nodeCount() < 2) {
        throw new InputException(
            Path.of(scenario.name()), 0, "workload " + spec.name() + " needs at least two nodes");
      }
      return new RandomTransfers(
          spec.ratePerSec(),
          durationNanos,
          spec.sizeBytes(),
          spec.crossRack(),
          topology,
          random(spec));
    }

    private Workload foreground(WorkloadSpec.Foreground spec) {
      NodeForeground.Shape shape =
          new NodeForeground.Shape(
              scenario.cluster().hostLinkBytesPerSec(),
              spec.mean(),
              spec.deviation(),
              spec.slotMs() * NANOS_PER_MS,
              durationNanos);
      return new NodeForeground(topology.nodeCount(), shape, random(spec));
    }

    private Workload steadyWrites(WorkloadSpec.Steady spec) throws InputException {
      boolean isLimited =
          spec.replication() > 1
              || spec.clients() == WorkloadSpec.Who.OUTSIDE
              || Double.isFinite(scenario.cluster().diskWriteBytesPerSec());
      if (!isLimited) {
        throw new InputException(
            Path.of(scenario.name()),
            0,
            "workload "
                + spec.name()
                + ": with replication 1, clients nodes and disk-write unlimited a block takes no"
                + " time; allowed: replication from 2, clients outside, or a disk-write");
      }
      return new SteadyWriters(
          spec.atATime(),
          spec.blockBytes(),
          spec.replication(),
          clients(spec.clients()),
          random(spec));
    }

    private Workload hotRacks(WorkloadSpec.Hot spec) throws InputException {
      if (spec.free() >= topology.rackCount()) {
        throw new InputException(
            Path.of(scenario.name()),
            0,
            "workload "
                + spec.name()
                + ": free "
                + spec.free()
                + " must be less than the number of racks, "
                + topology.rackCount());
      }
      HotRacks.Shape shape =
          new HotRacks.Shape(
              spec.free(),
              spec.in() * scenario.cluster().hostLinkBytesPerSec(),
              spec.out() * scenario.cluster().hostLinkBytesPerSec(),
              spec.stayMs() * NANOS_PER_MS,
              durationNanos);
      return new HotRacks(topology, shape, random(spec));
    }

    private Workload audit(WorkloadSpec.Audit spec) throws InputException {
      List<Path> logs = new ArrayList<>();
      for (String log : spec.logFiles()) {
        logs.add(files.need(log));
      }
      Optional<Path> listing = Optional.empty();
      if (spec.listingFile().isPresent()) {
        listing = Optional.of(files.need(spec.listingFile().get()));
      }
      boolean spread = spec.strangers() == WorkloadSpec.Strangers.SPREAD;
      AuditReplay replay =
          AuditReplay.open(
              new AuditReplay.Settings(
                  logs,
                  listing,
                  new FileShape(spec.sizeBytes(), spec.blockBytes(), spec.replication()),
                  spread ? known.spreadOver(topology) : known,
                  spec.speed(),
                  spec.filesMax()),
              random(spec));
      audits.put(spec.name(), replay.report());
      notices.add(notice(spec.name(), replay.report()));
      return replay;
    }

    private static String notice(String workload, AuditReplay.Report report) {
      String unused =
          report.unused().entrySet().stream()
              .map(entry -> entry.getValue() + " " + entry.getKey())
              .collect(Collectors.joining(", "));
      return String.format(
          Locale.ROOT,
          "The log of %s: %d lines, %d refused by the NameNode; %d creates and opens by nodes, %d by"
              + " clients outside; sizes of %d files listed, of %d drawn; without effect here: %s.",
          workload,
          report.lines(),
          report.refused(),
          report.clientsInside(),
          report.clientsOutside(),
          report.filesListed(),
          report.filesDrawn(),
          unused.isEmpty() ? "nothing" : unused);
    }
  }
}
