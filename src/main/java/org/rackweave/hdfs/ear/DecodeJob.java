package org.rackweave.hdfs.ear;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.hdfs.ear.EncodingSurvey.Surveyed;

/**
 * Gives the encoded files below a directory their replicas back, for good: marks them to keep them,
 * raises their factors to what they were, and waits for HDFS to make the replicas. Parity goes when
 * no file of its stripe needs it any more.
 */
final class DecodeJob implements Jobs.Job {
  /** Files that are restored or wait for it while others are still looked for. */
  private static final int PENDING_MAX = 1000;

  private static final long STALLED_MS = 120_000;

  private final NamenodeProtocols nameNode;
  private final EncodingService service;
  private final StripeRegistry registry;
  private final BlockLookup lookup;
  private final String directory;
  private final boolean dryRun;

  DecodeJob(
      NamenodeProtocols nameNode,
      EncodingService service,
      StripeRegistry registry,
      BlockLookup lookup,
      String directory,
      boolean dryRun) {
    this.nameNode = nameNode;
    this.service = service;
    this.registry = registry;
    this.lookup = lookup;
    this.directory = directory;
    this.dryRun = dryRun;
  }

  @Override
  public String name() {
    return "decode";
  }

  @Override
  public void run(JobStatus status) throws IOException, InterruptedException {
    EncodingSurvey survey =
        new EncodingSurvey(nameNode, registry.config().paths(), registry.encoded(), status);
    status.phase("looking through the files", 0);
    survey.walk(directory, file -> count(file, status));
    if (dryRun || status.figure("encoded_files") == 0) {
      return;
    }
    status.phase("restoring replicas", status.figure("encoded_files"));
    long[] marked = {0};
    survey.walk(
        directory,
        file -> {
          if (file.encodedBlocks() > 0) {
            restore(file);
            marked[0]++;
            awaitPending(PENDING_MAX, marked[0], status);
          }
        });
    awaitPending(0, marked[0], status);
    status.figure("files_waiting_for_replicas", service.restoring().pending());
    status.phase("giving up parity", 0);
    int stripesBefore = registry.encoded().stripeCount();
    survey.walk(
        directory,
        file -> {
          for (LocatedBlock block : file.blocks()) {
            service.monitor().suspect(block.getBlock().getBlockId());
          }
        });
    awaitGivenUp(status);
    status.figure("stripes_given_up", stripesBefore - registry.encoded().stripeCount());
    JobStatus after = new JobStatus(0, name());
    survey.walk(directory, file -> count(file, after));
    status.figure("blocks_still_in_stripes", after.figure("encoded_blocks"));
  }

  private void count(Surveyed file, JobStatus status) {
    status.add("files", 1);
    if (file.encodedBlocks() > 0) {
      status.add("encoded_files", 1);
      status.add("encoded_blocks", file.encodedBlocks());
      if (file.status().getReplication() == 1) {
        status.add("files_to_restore", 1);
        status.add("bytes_to_copy", file.status().getLen() * (factor(file) - 1));
      }
    }
  }

  /** The factor that a file had before. */
  private int factor(Surveyed file) {
    return registry
        .encoded()
        .replicationBefore(
            file.blocks().stream().map(block -> block.getBlock().getBlockId()).toList());
  }

  private void restore(Surveyed file) throws IOException {
    StoredFile stored = lookup.file(file.status().getFileId());
    if (stored == null || !stored.isCurrent()) {
      return; // deleted meanwhile
    }
    if (stored.mark() != ReplicaMark.KEEP) {
      lookup.mark(stored.id(), ReplicaMark.KEEP);
    }
    if (stored.replication() == 1) {
      service.restoring().want(stored.id(), factor(file));
    }
  }

  private void awaitPending(int atMost, long marked, JobStatus status) throws InterruptedException {
    long tooMany =
        status.awaitNone(
            STALLED_MS,
            () -> Math.max(0, service.restoring().pending() - atMost),
            now -> status.done(Math.max(0, marked - now - atMost)));
    if (tooMany > 0) {
      status.line(tooMany + atMost + " files still wait for replicas; HDFS continues");
    } else {
      status.done(marked);
    }
  }

  /** Until everything heard of has been looked at, and no stripe waits to be given up. */
  private void awaitGivenUp(JobStatus status) throws InterruptedException {
    status.awaitNone(
        STALLED_MS,
        () -> service.monitor().isIdle() ? 0 : 1 + registry.encoded().stripeCount(),
        left -> {});
  }
}
