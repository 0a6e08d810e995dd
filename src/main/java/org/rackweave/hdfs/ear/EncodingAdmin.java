package org.rackweave.hdfs.ear;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.hdfs.admin.AdminHandler;
import org.rackweave.hdfs.admin.AdminRequest;

/**
 * Where {@code bin/rackweave encode}, {@code decode} and {@code stripes} reach a NameNode. The
 * first word says what to do, others are {@code key=value}; the answer is a {@link JobStatus}.
 *
 * <p>A command that has stripes encoded outside HDFS names the racks it does that for ({@code
 * outside}), and then asks again and again which racks have new work ({@code offers}), which it
 * fetches as {@link OutsideWork} has it, because that has block tokens. When it can do no more of
 * that it says so ({@code leave}), and DataNodes do the rest. These answers are racks, and so is
 * that to where hosts are ({@code racks}).
 *
 * <p>A job has a number, its {@code job} in the answer. Who asks for it by that ({@code id}) is
 * told of this one, and cancels no other.
 */
public final class EncodingAdmin implements AdminHandler, AutoCloseable {
  /** Name of the handler. */
  public static final String IDENTIFIER = "rackweave-ear";

  static final String NOT_READY =
      "the NameNode is not active, in safe mode, or still reads its stripes";

  private static final Map<String, Set<String>> KEYS =
      Map.of(
          "encode", Set.of("path", "dry-run", "bandwidth", "outside"),
          "decode", Set.of("path", "dry-run"),
          "audit", Set.of("fix", "dry-run"),
          "stripes", Set.of(),
          "job", Set.of("id"),
          "cancel", Set.of("id"),
          "offers", Set.of(),
          "leave", Set.of("id"),
          "racks", Set.of("hosts"));

  private final NamenodeProtocols nameNode;
  private final EncodingService service;
  private final StripeRegistry registry;
  private final BlockLookup lookup;
  private final WithheldReplicas withheld;
  private final StripePlaces places;
  private final Supplier<ClusterView> cluster;
  private final Jobs jobs = new Jobs(Time.now());

  EncodingAdmin(
      NamenodeProtocols nameNode,
      EncodingService service,
      StripeRegistry registry,
      BlockLookup lookup,
      WithheldReplicas withheld,
      StripePlaces places,
      Supplier<ClusterView> cluster) {
    this.nameNode = nameNode;
    this.service = service;
    this.registry = registry;
    this.lookup = lookup;
    this.withheld = withheld;
    this.places = places;
    this.cluster = cluster;
  }

  @Override
  public AdminAnswer answer(List<String> words) {
    AdminRequest request = AdminRequest.parse(words, KEYS);
    String what = request.what();
    Map<String, String> options = request.options();
    if (!service.isReady()) {
      String alarm = registry.counts().deletionAlarm();
      throw new IllegalStateException(alarm.isEmpty() ? NOT_READY : NOT_READY + "; " + alarm);
    }
    return switch (what) {
      case "stripes" -> stripes();
      case "job" -> job(options).answer();
      case "cancel" -> {
        JobStatus job = job(options);
        job.cancel();
        yield job.answer();
      }
      case "offers" ->
          new AdminAnswer().list("racks", service.outside().racksWithNewWork(Time.monotonicNow()));
      case "leave" -> leave(options);
      case "racks" ->
          new AdminAnswer().with("racks", service.hostRacks().of(commaSeparated(options, "hosts")));
      default -> jobs.start(job(what, options)).answer();
    };
  }

  private Jobs.Job job(String what, Map<String, String> options) {
    boolean dryRun = Boolean.parseBoolean(options.get("dry-run"));
    if (what.equals("encode") && service.isOff()) {
      throw new IllegalStateException("Rackweave is off: nothing is encoded");
    }
    return switch (what) {
      case "encode" ->
          new EncodeJob(nameNode, service, registry, lookup, cluster, request(options), dryRun);
      case "decode" ->
          new DecodeJob(nameNode, service, registry, lookup, AdminRequest.path(options), dryRun);
      default ->
          new AuditJob(
              places,
              registry,
              lookup,
              withheld,
              cluster,
              Boolean.parseBoolean(options.get("fix")),
              dryRun);
    };
  }

  private static EncodingService.EncodingRequest request(Map<String, String> options) {
    return new EncodingService.EncodingRequest(
        AdminRequest.path(options),
        bandwidth(options),
        Set.copyOf(commaSeparated(options, "outside")));
  }

  private static List<String> commaSeparated(Map<String, String> options, String key) {
    String text = options.getOrDefault(key, "");
    return text.isEmpty() ? List.of() : List.of(text.split(","));
  }

  private static long bandwidth(Map<String, String> options) {
    String text = options.getOrDefault("bandwidth", "0");
    if (!text.matches("[0-9]{1,12}")) {
      throw new IllegalArgumentException(
          "bandwidth '" + text + "': allowed are 0 (as configured) to 999999999999 bytes a second");
    }
    return Long.parseLong(text);
  }

  /** The job that is named, the last one when none is. */
  private JobStatus job(Map<String, String> options) {
    String id = options.get("id");
    if (id != null) {
      if (!id.matches("[0-9]{1,18}")) {
        throw new IllegalArgumentException("id '" + id + "': allowed is the number of a job");
      }
      return jobs.job(Long.parseLong(id));
    }
    JobStatus current = jobs.current();
    if (current == null) {
      throw new IllegalStateException("there has been no job since this NameNode became active");
    }
    return current;
  }

  /** Nobody encodes outside HDFS any more for a job that runs. */
  private AdminAnswer leave(Map<String, String> options) {
    JobStatus job = job(options);
    if (job.state() == JobStatus.State.RUNNING) {
      service.outside().serve(Set.of(), Time.monotonicNow());
    }
    return job.answer();
  }

  private AdminAnswer stripes() {
    EncodingCounts counts = registry.counts();
    JobStatus status = new JobStatus(0, "stripes");
    status.figure("stripes", registry.encoded().stripeCount());
    status.figure("blocks", registry.encoded().blockCount());
    status.figure("unreadable_records", registry.encoded().unreadableCount());
    status.figure("open_stripes", registry.openStatus().size());
    status.figure("sealed_stripes_waiting", registry.sealedWaiting());
    status.figure("stripes_missing_blocks_decodable", counts.decodable());
    status.figure("stripes_missing_blocks_lost", counts.lost());
    status.figure("blocks_repaired", counts.blocksRepaired());
    status.figure("stripes_being_given_up", counts.givingUp());
    status.figure("replicas_of_deleted_blocks_kept", withheld.count());
    status.figure("datanodes_that_decode_for_clients", service.decoding().decoderCount());
    status.figure("files_restored_or_waiting", service.restoring().pending());
    counts
        .filesWaiting()
        .forEach(
            (why, files) ->
                status.figure("files_keeping_replicas_" + label(why.name()), files.longValue()));
    addHeld(counts, status);
    for (EncodingRefusal why : EncodingRefusal.values()) {
      if (counts.refusals(why) > 0) {
        status.figure("stripes_refused_" + label(why.name()), counts.refusals(why));
      }
    }
    status.end(JobStatus.State.DONE, "");
    return status.answer();
  }

  /** Says which snapshots keep files from giving up their replicas. */
  static void addHeld(EncodingCounts counts, JobStatus status) {
    counts
        .filesBySnapshot()
        .forEach(
            (snapshot, files) ->
                status.line(
                    files + " encoded files keep their replicas: held by snapshot " + snapshot));
  }

  private static String label(String constant) {
    return constant.toLowerCase(Locale.ROOT);
  }

  /** Ends the job that runs, if any. */
  @Override
  public void close() {
    jobs.close();
  }
}
