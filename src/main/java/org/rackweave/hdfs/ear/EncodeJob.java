package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.util.Time;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.SavingEstimate;
import org.rackweave.ear.StripeRules;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.hdfs.ear.EncodingSurvey.Surveyed;
import org.rackweave.hdfs.ear.EncodingSurvey.WhyNot;
import org.rackweave.model.ClusterTopology;

/**
 * Encodes the files below a directory now: counts what there is to do, gives blocks a place in
 * stripes, has these sealed and encoded whatever the settings say of when, and waits until files
 * have given their surplus replicas up. As many blocks at a time as fit in little memory.
 *
 * <p>Interrupted at any moment it leaves nothing that the next one does not find.
 */
final class EncodeJob implements Jobs.Job {
  private static final int ROUND_BLOCKS = 50_000;
  private static final int ATTEMPTS = 3;
  private static final long RETRY_MS = 3000;
  private static final int PART_ENCODED_SHOWN = 100;

  /** Without any progress for so long, what is left is left; what a limit holds up comes on top. */
  private static final long STALLED_MS = 120_000;

  /** The same outside HDFS, where others may be served first. */
  private static final long STALLED_OUTSIDE_MS = 1_200_000;

  private final NamenodeProtocols nameNode;
  private final EncodingService service;
  private final StripeRegistry registry;
  private final BlockLookup lookup;
  private final Supplier<ClusterView> cluster;
  private final EncodingService.EncodingRequest request;
  private final boolean dryRun;
  private final Set<Long> round = new HashSet<>();
  private final Map<ErasureCode, SavingEstimate> waiting = new HashMap<>();
  private long encodedBefore;
  private long longestStripeBytes;

  /** Blocks of the last attempt that found no stripe which saves something. */
  private long savingNothing;

  /** Stripes that had been taken apart when the round was last sealed, and last looked at. */
  private long apartSealed;

  private long apartSeen;

  EncodeJob(
      NamenodeProtocols nameNode,
      EncodingService service,
      StripeRegistry registry,
      BlockLookup lookup,
      Supplier<ClusterView> cluster,
      EncodingService.EncodingRequest request,
      boolean dryRun) {
    this.nameNode = nameNode;
    this.service = service;
    this.registry = registry;
    this.lookup = lookup;
    this.cluster = cluster;
    this.request = request;
    this.dryRun = dryRun;
  }

  @Override
  public String name() {
    return "encode";
  }

  @Override
  public void run(JobStatus status) throws IOException, InterruptedException {
    EncodingSurvey survey =
        new EncodingSurvey(nameNode, registry.config().paths(), registry.encoded(), status);
    status.phase("looking through the files", 0);
    List<String> partEncoded = survey(survey, status);
    if (dryRun || status.figure("waiting_blocks") == 0) {
      partEncoded.forEach(status::line);
      return;
    }
    requireRoom(status);
    long inRackBefore = registry.counts().bytesReadInRack();
    long acrossRacksBefore = registry.counts().bytesReadAcrossRacks();
    service.request(request);
    try {
      status.phase("encoding", status.figure("waiting_blocks"));
      encode(survey, status);
      status.phase("giving up surplus replicas", 0);
      shrink(survey, status);
    } finally {
      service.request(null);
    }
    status.phase("looking through the files", 0);
    JobStatus after = new JobStatus(0, name());
    survey(survey, after).forEach(status::line);
    for (String key :
        List.of("encoded_blocks", "encoded_bytes", "stored_bytes", "part_encoded_files")) {
      status.figure(key + "_after", after.figure(key));
    }
    status.figure("bytes_read_in_rack", registry.counts().bytesReadInRack() - inRackBefore);
    status.figure(
        "bytes_read_across_racks", registry.counts().bytesReadAcrossRacks() - acrossRacksBefore);
    status.figure("saved_bytes", status.figure("stored_bytes") - after.figure("stored_bytes"));
    status.figure("left_blocks", after.figure("waiting_blocks"));
    status.figure("left_blocks_saving_nothing", savingNothing);
    if (savingNothing > 0) {
      status.line(
          savingNothing
              + " blocks wait for others of about their length: parity would take as much as their"
              + " replicas");
    }
  }

  /** Tries again what was refused, which is mostly for a DataNode that was too busy. */
  private void encode(EncodingSurvey survey, JobStatus status)
      throws IOException, InterruptedException {
    Map<EncodingRefusal, Long> before = refusals();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      savingNothing = 0;
      long refused = refusals().values().stream().mapToLong(Long::longValue).sum();
      survey.walk(request.directory(), file -> take(file, status));
      finishRound(status);
      if (refusals().values().stream().mapToLong(Long::longValue).sum() == refused) {
        break;
      }
      status.pause(RETRY_MS);
    }
    long all = 0;
    for (Map.Entry<EncodingRefusal, Long> now : refusals().entrySet()) {
      long count = now.getValue() - before.get(now.getKey());
      all += count;
      if (count > 0) {
        status.line(count + " stripes were refused: " + now.getKey().label());
      }
    }
    List<String> texts = registry.counts().lastRefusals();
    texts.subList((int) Math.max(0, texts.size() - all), texts.size()).forEach(status::line);
  }

  /**
   * Makes sure that the cluster has racks for at least one of the codes.
   *
   * @throws IOException saying what each of them lacks
   */
  private void requireRoom(JobStatus status) throws IOException {
    ClusterTopology topology = cluster.get().topology();
    List<String> lacking = new ArrayList<>();
    for (ErasureCode code : waiting.keySet()) {
      StripeRules rules = registry.config().rulesOf(code);
      int room = rules.roomIn(topology);
      if (room < code.blocks()) {
        lacking.add(
            String.format(
                "%s with at most %d blocks in a rack needs room for %d blocks, and the %d racks and %d"
                    + " DataNodes there are have room for %d",
                code.name(),
                rules.rackLimit(),
                code.blocks(),
                topology.rackCount(),
                topology.nodeCount(),
                room));
      }
    }
    if (!lacking.isEmpty() && lacking.size() == waiting.size()) {
      throw new IOException(String.join("; ", lacking));
    }
    lacking.forEach(status::line);
  }

  private Map<EncodingRefusal, Long> refusals() {
    Map<EncodingRefusal, Long> refusals = new EnumMap<>(EncodingRefusal.class);
    for (EncodingRefusal why : EncodingRefusal.values()) {
      refusals.put(why, registry.counts().refusals(why));
    }
    return refusals;
  }

  /**
   * Counts what there is.
   *
   * @return a line for each of the first files of which some blocks are encoded and others are not
   */
  private List<String> survey(EncodingSurvey survey, JobStatus status)
      throws IOException, InterruptedException {
    Map<WhyNot, Integer> not = new EnumMap<>(WhyNot.class);
    List<String> partEncoded = new ArrayList<>();
    waiting.clear();
    survey.walk(
        request.directory(),
        file -> {
          status.add("files", 1);
          long bytes = file.status().getLen();
          int replication = file.status().getReplication();
          status.add("blocks", file.blocks().size());
          status.add("bytes", bytes);
          status.add("stored_bytes", bytes * replication + file.parityBytes());
          status.add("encoded_blocks", file.encodedBlocks());
          status.add("encoded_bytes", file.encodedBytes());
          if (file.whyNot().isPresent()) {
            not.merge(file.whyNot().get(), 1, Integer::sum);
          } else {
            ErasureCode code = file.code().orElseThrow();
            if (file.blocks().size() > file.encodedBlocks()) {
              noteWaiting(file, waiting.computeIfAbsent(code, SavingEstimate::new));
              noteLongest(file, code);
              addPartEncoded(file, status, partEncoded);
            }
            status.add("waiting_blocks", file.blocks().size() - file.encodedBlocks());
            status.add("waiting_bytes", bytes - file.encodedBytes());
            status.add("expected_parity_bytes", 0);
            status.add("expected_freed_bytes", file.encodedBytes() * (replication - 1));
          }
        });
    for (SavingEstimate estimate : waiting.values()) {
      SavingEstimate.Sum sum = estimate.sum();
      status.add("expected_parity_bytes", sum.parityBytes());
      status.add("expected_freed_bytes", sum.freedBytes());
    }
    status.figure(
        "expected_saved_bytes",
        status.figure("expected_freed_bytes") - status.figure("expected_parity_bytes"));
    not.forEach((why, files) -> status.line(files + " files are not encoded: " + why.words));
    return partEncoded;
  }

  private void noteWaiting(Surveyed file, SavingEstimate estimate) {
    for (LocatedBlock block : file.blocks()) {
      if (!registry.encoded().contains(block.getBlock().getBlockId())) {
        estimate.add(block.getBlockSize(), file.status().getReplication());
      }
    }
  }

  private void noteLongest(Surveyed file, ErasureCode code) {
    for (LocatedBlock block : file.blocks()) {
      longestStripeBytes = Math.max(longestStripeBytes, code.dataBlocks() * block.getBlockSize());
    }
  }

  private static void addPartEncoded(Surveyed file, JobStatus status, List<String> lines) {
    if (file.encodedBlocks() == 0) {
      return;
    }
    status.add("part_encoded_files", 1);
    if (lines.size() < PART_ENCODED_SHOWN) {
      lines.add(
          String.format(
              "%s keeps its %d replicas: %d of its %d blocks wait to be encoded",
              file.path(),
              file.status().getReplication(),
              file.blocks().size() - file.encodedBlocks(),
              file.blocks().size()));
    }
  }

  /** Gives the blocks of a file their places. */
  private void take(Surveyed file, JobStatus status) throws IOException, InterruptedException {
    if (file.whyNot().isPresent()) {
      return;
    }
    StoredFile stored = lookup.file(file.status().getFileId());
    if (stored != null && stored.isCurrent() && stored.mark() != ReplicaMark.NONE) {
      lookup.mark(stored.id(), ReplicaMark.NONE);
    }
    for (LocatedBlock block : file.blocks()) {
      long id = block.getBlock().getBlockId();
      if (!block.isCorrupt() && !registry.encoded().contains(id)) {
        registry.found(
            file.code().orElseThrow(),
            StripeSearch.writtenBlock(block, file.status().getReplication()),
            Arrays.stream(block.getLocations()).map(DatanodeInfo::getDatanodeUuid).toList(),
            Time.monotonicNow());
        round.add(id);
      }
    }
    if (round.size() >= ROUND_BLOCKS) {
      finishRound(status);
    }
  }

  /**
   * Seals what there is and waits until it is encoded, or refused. Blocks of stripes that were
   * taken apart meanwhile are sealed anew, once no more are.
   */
  private void finishRound(JobStatus status) throws InterruptedException {
    registry.seal(round::contains, Time.monotonicNow());
    apartSealed = registry.takenApartCount();
    apartSeen = apartSealed;
    long stalledMs =
        (request.outsideRacks().isEmpty() ? STALLED_MS : STALLED_OUTSIDE_MS)
            + StripeCommands.heldUpMs(longestStripeBytes, service.bytesPerSec());
    status.awaitNone(
        stalledMs, this::unsettled, waiting -> status.done(encodedBefore + encodedOfRound()));
    encodedBefore += encodedOfRound();
    savingNothing += round.stream().filter(registry::isSeated).count();
    round.clear();
  }

  /** Blocks of the round that wait to be encoded; at least one while some are to be sealed anew. */
  private long unsettled() {
    long apart = registry.takenApartCount();
    if (apart == apartSeen && apart != apartSealed) {
      registry.seal(round::contains, Time.monotonicNow());
      apartSealed = apart;
    }
    apartSeen = apart;
    long waiting = round.stream().filter(registry::awaitsEncoding).count();
    return apart == apartSealed ? waiting : Math.max(1, waiting);
  }

  private long encodedOfRound() {
    return round.stream().filter(registry.encoded()::contains).count();
  }

  private void shrink(EncodingSurvey survey, JobStatus status)
      throws IOException, InterruptedException {
    survey.walk(
        request.directory(),
        file -> {
          boolean isWhole = file.encodedBlocks() == file.blocks().size();
          if (isWhole && file.encodedBlocks() > 0 && file.status().getReplication() > 1) {
            service.sawEncodedFile(file.status().getFileId());
          }
        });
    long left =
        status.awaitNone(
            STALLED_MS / 4,
            service::filesToShrink,
            now -> status.figure("files_with_surplus_replicas", now));
    if (left > 0) {
      registry
          .counts()
          .filesWaiting()
          .forEach((why, files) -> status.line(files + " files keep their replicas: " + why));
    }
    EncodingAdmin.addHeld(registry.counts(), status);
  }
}
