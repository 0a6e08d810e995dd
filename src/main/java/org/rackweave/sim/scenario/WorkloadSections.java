package org.rackweave.sim.scenario;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.rackweave.sim.workload.Distribution;
import org.rackweave.sim.workload.PopularReads;
import org.rackweave.sim.workload.Popularity;
import org.rackweave.sim.workload.Reshuffle;

/** The kinds of {@code workload} and the keys of each. */
final class WorkloadSections {

  private static final long HOUR_MS = 3_600_000;

  /** By the word that names the kind. */
  static final Map<String, Schema<? extends WorkloadSpec>> KINDS = kinds();

  private WorkloadSections() {}

  private static Map<String, Schema<? extends WorkloadSpec>> kinds() {
    Map<String, Schema<? extends WorkloadSpec>> kinds = new LinkedHashMap<>();
    kinds.put("writes", writes());
    kinds.put("reads", reads());
    kinds.put("shuffles", shuffles());
    kinds.put("swim", swim());
    kinds.put("transfers", transfers());
    kinds.put("foreground", foreground());
    kinds.put("streams", streams());
    kinds.put("hot-racks", hotRacks());
    kinds.put("steady-writes", steadyWrites());
    kinds.put("audit", audit());
    kinds.put("stored", stored());
    return kinds;
  }

  /** An audit workload with the usual settings. */
  static WorkloadSpec.Audit audit(List<String> logFiles, Optional<String> listingFile) {
    return new WorkloadSpec.Audit(
        "audit",
        logFiles,
        listingFile,
        new Distribution.LogUniform(1e6, 1e10),
        128L << 20,
        3,
        WorkloadSpec.Strangers.OUTSIDE,
        1,
        5_000_000);
  }

  private static Schema<WorkloadSpec.Writes> writes() {
    var rate = WorkloadKeys.rate(WorkloadSpec.Writes::ratePerSec, "files begun, on average");
    var size = WorkloadKeys.size("128MiB", WorkloadSpec.Writes::sizeBytes);
    var block = WorkloadKeys.block(WorkloadSpec.Writes::blockBytes);
    var replication = WorkloadKeys.replication(WorkloadSpec.Writes::replication);
    var writers =
        new Key<WorkloadSpec.Writes, WorkloadSpec.Writers>(
            "writers",
            ValueKind.word(WorkloadSpec.Writers.class),
            "nodes",
            WorkloadSpec.Writes::writers,
            "nodes at random, clients outside, or nodes where a reducer may run");
    var reducersOf =
        new Key<WorkloadSpec.Writes, Optional<String>>(
            "reducers-of",
            ValueKind.optional("none", ValueKind.text("a workload of kind shuffles")),
            "none",
            WorkloadSpec.Writes::reducersOf,
            "whose reducers write, with `writers reducers`");
    var window =
        new Key<WorkloadSpec.Writes, Long>(
            "reducer-window",
            ValueKind.wholeQuantity(Units.TIME, 1, 86_400_000),
            "1min",
            WorkloadSpec.Writes::windowMs,
            "a reducer writes at most so long after its shuffle arrived");
    return new Schema<>(
        "workload writes",
        WorkloadSpec.Writes.class,
        List.of(rate, size, block, replication, writers, reducersOf, window),
        values -> {
          boolean reducers = values.get(writers) == WorkloadSpec.Writers.REDUCERS;
          if (reducers != values.get(reducersOf).isPresent()) {
            throw new IllegalArgumentException("writers reducers and reducers-of go together");
          }
          return new WorkloadSpec.Writes(
              values.name(),
              values.get(rate),
              values.get(size),
              values.get(block),
              values.get(replication),
              values.get(writers),
              values.get(reducersOf),
              values.get(window));
        });
  }

  private static Schema<WorkloadSpec.Reads> reads() {
    var rate = WorkloadKeys.rate(WorkloadSpec.Reads::ratePerSec, "reads begun, on average");
    var together =
        new Key<WorkloadSpec.Reads, Integer>(
            "together",
            ValueKind.count(1, 100_000),
            "1",
            WorkloadSpec.Reads::together,
            "so many clients open the same file at the same moment");
    var files =
        new Key<WorkloadSpec.Reads, Integer>(
            "files",
            ValueKind.count(1, PopularReads.FILES_MAX),
            null,
            WorkloadSpec.Reads::files,
            "files, there from the start");
    var popularity =
        new Key<WorkloadSpec.Reads, Popularity>(
            "popularity",
            DistributionText.popularity(),
            "zipf 1",
            WorkloadSpec.Reads::popularity,
            "how often a file is read: by its rank, or drawn for each file");
    var size = WorkloadKeys.size("128MiB", WorkloadSpec.Reads::sizeBytes);
    var block = WorkloadKeys.block(WorkloadSpec.Reads::blockBytes);
    var replication = WorkloadKeys.replication(WorkloadSpec.Reads::replication);
    var readers =
        WorkloadKeys.who("readers", "nodes at random, or outside", WorkloadSpec.Reads::readers);
    return new Schema<>(
        "workload reads",
        WorkloadSpec.Reads.class,
        List.of(rate, together, files, popularity, size, block, replication, readers),
        values ->
            new WorkloadSpec.Reads(
                values.name(),
                values.get(rate),
                values.get(together),
                values.get(files),
                values.get(popularity),
                values.get(size),
                values.get(block),
                values.get(replication),
                values.get(readers)));
  }

  private static Schema<WorkloadSpec.Shuffles> shuffles() {
    var trace = WorkloadKeys.<WorkloadSpec.Shuffles>trace(WorkloadSpec.Shuffles::traceFile);
    var required = WorkloadKeys.<WorkloadSpec.Shuffles>required(WorkloadSpec.Shuffles::required);
    var times =
        new Key<WorkloadSpec.Shuffles, Integer>(
            "times",
            ValueKind.count(1, 10_000),
            "1",
            WorkloadSpec.Shuffles::times,
            "how often the trace is played, one after another");
    var period =
        new Key<WorkloadSpec.Shuffles, Long>(
            "period",
            ValueKind.wholeQuantity(Units.TIME, 1, 24 * HOUR_MS),
            "1h",
            WorkloadSpec.Shuffles::periodMs,
            "from the beginning of one playing to that of the next");
    var reshuffle =
        new Key<WorkloadSpec.Shuffles, Reshuffle>(
            "reshuffle",
            ValueKind.word(Reshuffle.class),
            "nothing",
            WorkloadSpec.Shuffles::reshuffle,
            "what every playing changes: who arrives when, the names of the racks, or both");
    var speed = WorkloadKeys.<WorkloadSpec.Shuffles>speed(WorkloadSpec.Shuffles::speed);
    var copies =
        new Key<WorkloadSpec.Shuffles, Integer>(
            "copies",
            ValueKind.count(1, 1000),
            "1",
            WorkloadSpec.Shuffles::copies,
            "so many at once, each on the racks after those of the one before");
    var sizeFactor =
        new Key<WorkloadSpec.Shuffles, Double>(
            "size-factor",
            ValueKind.quantity(Units.NUMBER, 0.001, 1000),
            "1",
            WorkloadSpec.Shuffles::sizeFactor,
            "every transfer is so many times as large");
    return new Schema<>(
        "workload shuffles",
        WorkloadSpec.Shuffles.class,
        List.of(trace, required, times, period, reshuffle, speed, copies, sizeFactor),
        values ->
            new WorkloadSpec.Shuffles(
                values.name(),
                values.get(trace),
                values.get(required),
                values.get(times),
                values.get(period),
                values.get(reshuffle),
                values.get(speed),
                values.get(copies),
                values.get(sizeFactor)));
  }

  private static Schema<WorkloadSpec.Swim> swim() {
    var trace = WorkloadKeys.<WorkloadSpec.Swim>trace(WorkloadSpec.Swim::traceFile);
    var required = WorkloadKeys.<WorkloadSpec.Swim>required(WorkloadSpec.Swim::required);
    var reads =
        new Key<WorkloadSpec.Swim, Boolean>(
            "reads",
            ValueKind.yesNo(),
            "no",
            WorkloadSpec.Swim::reads,
            "whether inputs are there from the start and read");
    var writes =
        new Key<WorkloadSpec.Swim, Boolean>(
            "writes",
            ValueKind.yesNo(),
            "yes",
            WorkloadSpec.Swim::writes,
            "whether outputs are written");
    var part =
        new Key<WorkloadSpec.Swim, Long>(
            "part",
            ValueKind.wholeQuantity(Units.BYTES, 1 << 20, 1L << 40),
            "1GiB",
            WorkloadSpec.Swim::partBytes,
            "larger inputs and outputs are several files");
    var block = WorkloadKeys.<WorkloadSpec.Swim>block(WorkloadSpec.Swim::blockBytes);
    var replication = WorkloadKeys.<WorkloadSpec.Swim>replication(WorkloadSpec.Swim::replication);
    var speed = WorkloadKeys.<WorkloadSpec.Swim>speed(WorkloadSpec.Swim::speed);
    var clients =
        WorkloadKeys.who("clients", "nodes at random, or outside", WorkloadSpec.Swim::clients);
    return new Schema<>(
        "workload swim",
        WorkloadSpec.Swim.class,
        List.of(trace, required, reads, writes, part, block, replication, speed, clients),
        values ->
            new WorkloadSpec.Swim(
                values.name(),
                values.get(trace),
                values.get(required),
                values.get(reads),
                values.get(writes),
                values.get(part),
                values.get(block),
                values.get(replication),
                values.get(speed),
                values.get(clients)));
  }

  private static Schema<WorkloadSpec.Transfers> transfers() {
    var rate = WorkloadKeys.rate(WorkloadSpec.Transfers::ratePerSec, "transfers begun, on average");
    var size = WorkloadKeys.size("exponential 64MiB", WorkloadSpec.Transfers::sizeBytes);
    var crossRack =
        new Key<WorkloadSpec.Transfers, Double>(
            "cross-rack",
            ValueKind.quantity(Units.SHARE, 0, 1),
            "50%",
            WorkloadSpec.Transfers::crossRack,
            "fraction between different racks");
    return new Schema<>(
        "workload transfers",
        WorkloadSpec.Transfers.class,
        List.of(rate, size, crossRack),
        values ->
            new WorkloadSpec.Transfers(
                values.name(), values.get(rate), values.get(size), values.get(crossRack)));
  }

  private static Schema<WorkloadSpec.Foreground> foreground() {
    var mean =
        new Key<WorkloadSpec.Foreground, Double>(
            "mean",
            ValueKind.quantity(Units.SHARE, 0, 0.95),
            "40%",
            WorkloadSpec.Foreground::mean,
            "average load of a node's link");
    var deviation =
        new Key<WorkloadSpec.Foreground, Double>(
            "deviation",
            ValueKind.quantity(Units.SHARE, 0, 1),
            "50%",
            WorkloadSpec.Foreground::deviation,
            "of the load over nodes, relative to the mean");
    var slot =
        new Key<WorkloadSpec.Foreground, Long>(
            "slot",
            ValueKind.wholeQuantity(Units.TIME, 100, HOUR_MS),
            "15s",
            WorkloadSpec.Foreground::slotMs,
            "time between two changes");
    return new Schema<>(
        "workload foreground",
        WorkloadSpec.Foreground.class,
        List.of(mean, deviation, slot),
        values ->
            new WorkloadSpec.Foreground(
                values.name(), values.get(mean), values.get(deviation), values.get(slot)));
  }

  private static Schema<WorkloadSpec.Streams> streams() {
    var bandwidth =
        new Key<WorkloadSpec.Streams, Double>(
            "bandwidth",
            ValueKind.quantity(Units.BANDWIDTH, 0, 125e9),
            null,
            WorkloadSpec.Streams::bytesPerSec,
            "of each pair; what a link cannot carry is lost");
    return new Schema<>(
        "workload streams",
        WorkloadSpec.Streams.class,
        List.of(bandwidth),
        values -> new WorkloadSpec.Streams(values.name(), values.get(bandwidth)));
  }

  private static Schema<WorkloadSpec.Hot> hotRacks() {
    var free =
        new Key<WorkloadSpec.Hot, Integer>(
            "free", ValueKind.count(1, 10_000), "1", WorkloadSpec.Hot::free, "racks without load");
    var in =
        new Key<WorkloadSpec.Hot, Double>(
            "in",
            ValueKind.quantity(Units.SHARE, 0, 0.95),
            "80%",
            WorkloadSpec.Hot::in,
            "of the links into the nodes of all other racks; this load yields to nobody");
    var out =
        new Key<WorkloadSpec.Hot, Double>(
            "out",
            ValueKind.quantity(Units.SHARE, 0, 0.95),
            "80%",
            WorkloadSpec.Hot::out,
            "of the links out of them");
    var stay =
        new Key<WorkloadSpec.Hot, Long>(
            "stay",
            ValueKind.wholeQuantity(Units.TIME, 100, HOUR_MS),
            "20s",
            WorkloadSpec.Hot::stayMs,
            "so long the same racks are free; then others");
    return new Schema<>(
        "workload hot-racks",
        WorkloadSpec.Hot.class,
        List.of(free, in, out, stay),
        values ->
            new WorkloadSpec.Hot(
                values.name(),
                values.get(free),
                values.get(in),
                values.get(out),
                values.get(stay)));
  }

  private static Schema<WorkloadSpec.Steady> steadyWrites() {
    var writers =
        new Key<WorkloadSpec.Steady, Integer>(
            "at-a-time",
            ValueKind.count(1, 100_000),
            null,
            WorkloadSpec.Steady::writers,
            "clients, each of which writes one block after another until the run ends");
    var block = WorkloadKeys.<WorkloadSpec.Steady>block(WorkloadSpec.Steady::blockBytes);
    var replication =
        WorkloadKeys.<WorkloadSpec.Steady>replication(WorkloadSpec.Steady::replication);
    var clients =
        WorkloadKeys.who(
            "clients", "nodes drawn at random, or outside", WorkloadSpec.Steady::clients);
    return new Schema<>(
        "workload steady-writes",
        WorkloadSpec.Steady.class,
        List.of(writers, block, replication, clients),
        values ->
            new WorkloadSpec.Steady(
                values.name(),
                values.get(writers),
                values.get(block),
                values.get(replication),
                values.get(clients)));
  }

  private static Schema<WorkloadSpec.Audit> audit() {
    var logs =
        new Key<WorkloadSpec.Audit, List<String>>(
            "log",
            ValueKind.texts("a file, or several with commas between, the oldest first"),
            null,
            WorkloadSpec.Audit::logFiles,
            "the NameNode's audit log");
    var listing =
        new Key<WorkloadSpec.Audit, Optional<String>>(
            "listing",
            ValueKind.optional("none", ValueKind.text("a file")),
            "none",
            WorkloadSpec.Audit::listingFile,
            "text of `hdfs oiv -p Delimited`, which tells sizes");
    var size = WorkloadKeys.size("log-uniform 1MB 10GB", WorkloadSpec.Audit::sizeBytes);
    var block = WorkloadKeys.block(WorkloadSpec.Audit::blockBytes);
    var replication = WorkloadKeys.replication(WorkloadSpec.Audit::replication);
    var strangers =
        new Key<WorkloadSpec.Audit, WorkloadSpec.Strangers>(
            "strangers",
            ValueKind.word(WorkloadSpec.Strangers.class),
            "outside",
            WorkloadSpec.Audit::strangers,
            "whether clients that are no node stay outside or get a node each");
    var speed = WorkloadKeys.<WorkloadSpec.Audit>speed(WorkloadSpec.Audit::speed);
    var filesMax =
        new Key<WorkloadSpec.Audit, Integer>(
            "files-max",
            ValueKind.count(1, 100_000_000),
            "5000000",
            WorkloadSpec.Audit::filesMax,
            "more files or paths are an error; about 200 bytes each");
    return new Schema<>(
        "workload audit",
        WorkloadSpec.Audit.class,
        List.of(logs, listing, size, block, replication, strangers, speed, filesMax),
        values ->
            new WorkloadSpec.Audit(
                values.name(),
                values.get(logs),
                values.get(listing),
                values.get(size),
                values.get(block),
                values.get(replication),
                values.get(strangers),
                values.get(speed),
                values.get(filesMax)));
  }

  private static Schema<WorkloadSpec.Stored> stored() {
    var listing =
        new Key<WorkloadSpec.Stored, String>(
            "listing",
            ValueKind.text("a file"),
            null,
            WorkloadSpec.Stored::listingFile,
            "text of `hdfs oiv -p Delimited`");
    var share =
        new Key<WorkloadSpec.Stored, Double>(
            "share",
            ValueKind.quantity(Units.SHARE, 1e-5, 1),
            "100%",
            WorkloadSpec.Stored::share,
            "fraction of the files taken, evenly over the listing");
    return new Schema<>(
        "workload stored",
        WorkloadSpec.Stored.class,
        List.of(listing, share),
        values -> new WorkloadSpec.Stored(values.name(), values.get(listing), values.get(share)));
  }
}
