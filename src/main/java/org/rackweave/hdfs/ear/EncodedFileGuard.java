package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.util.Time;
import org.rackweave.ear.StripeCare.Care;
import org.rackweave.ear.StripeCare.MemberState;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has to be done before and after a client changes a file whose blocks are encoded, so that
 * neither that file nor another is less safe for it. Called in the thread that answers the client.
 *
 * <ul>
 *   <li>append, truncate inside a block: that block gets its replicas back first, and if its stripe
 *       cannot do without it, so do the stripe's other blocks. The call waits for it, a bounded
 *       time; then it fails with an exception that HDFS's clients retry where they are told to.
 *   <li>append of a new block, concat: the file gets its factor back, without waiting.
 *   <li>setrep above one: the file keeps its replicas from then on.
 *   <li>delete, rename, overwriting: nothing; see {@link WithheldReplicas}.
 * </ul>
 *
 * <p>Thread-safe. At most a quarter of the NameNode's handlers wait here.
 */
public final class EncodedFileGuard {
  private static final Logger LOG = LoggerFactory.getLogger(EncodedFileGuard.class);
  private static final LogThrottle ERROR_LOG = LogThrottle.oncePerMinute();
  private static final long LOOK_MS = 100;
  private static final long WORK_SECONDS = 10;

  private final NameNode nameNode;
  private final EarConfig config;
  private final BlockLookup lookup;
  private final EncodedStripes encoded;
  private final WithheldReplicas withheld;
  private final FileRestoring restoring;
  private final FileShrinking shrinking;
  private final StripeWatch watch;
  private final BooleanSupplier knowsStripes;
  private final Supplier<EncodingCluster> cluster;
  private final ExecutorService superuser;
  private final Semaphore places;

  /**
   * @param knowsStripes whether it is known which blocks are encoded
   * @param superuser works as the NameNode itself
   * @param handlers threads that answer clients
   */
  EncodedFileGuard(
      NameNode nameNode,
      EarConfig config,
      BlockLookup lookup,
      EncodedStripes encoded,
      WithheldReplicas withheld,
      FileRestoring restoring,
      FileShrinking shrinking,
      StripeWatch watch,
      BooleanSupplier knowsStripes,
      Supplier<EncodingCluster> cluster,
      ExecutorService superuser,
      int handlers) {
    this.nameNode = nameNode;
    this.config = config;
    this.lookup = lookup;
    this.encoded = encoded;
    this.withheld = withheld;
    this.restoring = restoring;
    this.shrinking = shrinking;
    this.watch = watch;
    this.knowsStripes = knowsStripes;
    this.cluster = cluster;
    this.superuser = superuser;
    places = new Semaphore(Math.max(1, handlers / 4));
  }

  /** A call that HDFS answers. */
  @FunctionalInterface
  public interface Call<T, E extends Exception> {
    T answer() throws E;
  }

  /**
   * Has a file appended to.
   *
   * @param newBlock whether its last block is left as it is
   * @throws RetriableException when its last block did not get its replicas in time
   */
  <T, E extends Exception> T append(String path, boolean newBlock, Call<T, E> call)
      throws IOException, E {
    StoredFile file = encodedFile(path);
    if (file == null) {
      return call.answer();
    }
    long last = file.blockIds().get(file.blockIds().size() - 1);
    try (FileShrinking.Exemption ignored = shrinking.exempt(file.id())) {
      prepare(
          () -> {
            restoreFactor(file);
            if (!newBlock && isPartial(last, file)) {
              awaitFreedom(path, last);
            }
          });
      return call.answer();
    } finally {
      watch.suspect(last);
    }
  }

  /**
   * Has a file cut off.
   *
   * @throws RetriableException when the block that is cut did not get its replicas in time
   */
  <T, E extends Exception> T truncate(String path, long newLength, Call<T, E> call)
      throws IOException, E {
    StoredFile file = encodedFile(path);
    if (file == null) {
      return call.answer();
    }
    try (FileShrinking.Exemption ignored = shrinking.exempt(file.id())) {
      prepare(
          () -> {
            Optional<Long> cut = cutBlock(file, newLength);
            if (cut.isPresent()) {
              restoreFactor(file);
              awaitFreedom(path, cut.get());
            }
          });
      return call.answer();
    } finally {
      file.blockIds().forEach(watch::suspect);
    }
  }

  /** Has other files' blocks joined to a file's, whose factor they get. */
  <T, E extends Exception> T concat(String target, Call<T, E> call) throws IOException, E {
    StoredFile file = encodedFile(target);
    if (file == null) {
      return call.answer();
    }
    try (FileShrinking.Exemption ignored = shrinking.exempt(file.id())) {
      prepare(() -> restoreFactor(file));
      return call.answer();
    }
  }

  /** Notes that somebody wants a file to have replicas. */
  void replicationSet(String path, int replication) throws IOException {
    if (replication > 1) {
      awaitKnowledge();
    }
    StoredFile file = replication > 1 ? encodedFile(path) : null;
    if (file != null && !file.keepsReplicas()) {
      asSuperuser(() -> ReplicaMark.set(nameNode.getRpcServer(), file.id()));
    }
  }

  @FunctionalInterface
  private interface Work {
    void run() throws IOException;
  }

  /**
   * A client's thread acts for the client, who may have no right to what has to be done. So does a
   * thread that it starts, as the executor's is.
   */
  private void asSuperuser(Work work) throws IOException {
    Callable<Void> task =
        () ->
            SecurityUtil.doAsLoginUser(
                () -> {
                  work.run();
                  return null;
                });
    try {
      superuser.submit(task).get(WORK_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } catch (TimeoutException e) {
      throw new RetriableException("the NameNode is too busy with encoded files");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /** What cannot be prepared by a fault of ours does not keep a client from writing. */
  private static void prepare(Work preparation) throws IOException {
    try {
      preparation.run();
    } catch (RuntimeException e) {
      if (ERROR_LOG.shouldLog()) {
        LOG.error("A file is changed without its encoded blocks being prepared", e);
      }
    }
  }

  /** The file, {@code null} when no block of it is encoded or the caller may not write it. */
  private StoredFile encodedFile(String path) {
    boolean isNoneEncoded = knowsStripes.getAsBoolean() && encoded.stripeCount() == 0;
    if (!nameNode.isActiveState() || isNoneEncoded) {
      return null;
    }
    try {

      HdfsFileStatus status = nameNode.getRpcServer().getFileInfo(path);
      StoredFile file =
          status == null || status.isDirectory() ? null : lookup.file(status.getFileId());
      if (file != null && file.replication() == 1) {
        awaitKnowledge();
      }
      if (file == null
          || !file.isCurrent()
          || file.blockIds().stream().noneMatch(encoded::contains)) {
        return null;
      }
      nameNode.getRpcServer().checkAccess(path, FsAction.WRITE);
      return file;
    } catch (IOException e) {
      return null; // no right to it, or no such file: HDFS will tell the caller
    } catch (RuntimeException e) {
      if (ERROR_LOG.shouldLog()) {
        LOG.error("It is not known whether blocks of a file are encoded", e);
      }
      return null;
    }
  }

  /**
   * A NameNode that has just become active reads its stripes first. When that takes too long, or
   * too many wait already, calls go on unprepared, and what they change is mended afterwards.
   */
  private void awaitKnowledge() throws InterruptedIOException {
    if (knowsStripes.getAsBoolean() || nameNode.isInSafeMode() || !places.tryAcquire()) {
      return;
    }
    try {
      long deadline = Time.monotonicNow() + config.changeWaitMs();
      while (!knowsStripes.getAsBoolean() && Time.monotonicNow() < deadline) {
        Thread.sleep(LOOK_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } finally {
      places.release();
    }
  }

  private boolean isPartial(long blockId, StoredFile file) {
    StoredBlock block = lookup.blocks(List.of(blockId)).get(0);
    return block != null && block.lengthBytes() < file.blockBytes();
  }

  /** The block that has to be cut for a length, none when it falls between two. */
  private Optional<Long> cutBlock(StoredFile file, long newLength) {
    long end = 0;
    for (StoredBlock block : lookup.blocks(file.blockIds())) {
      if (block == null) {
        return Optional.empty();
      }
      end += block.lengthBytes();
      if (newLength < end) {
        boolean isBetween = newLength == end - block.lengthBytes();
        return isBetween ? Optional.empty() : Optional.of(block.id());
      }
    }
    return Optional.empty();
  }

  private void restoreFactor(StoredFile file) throws IOException {
    if (file.replication() > 1) {
      return;
    }
    int before = encoded.replicationBefore(file.blockIds());
    asSuperuser(() -> restoring.now(file, before));
  }

  /** Waits until a block may change without harm to itself or others. */
  private void awaitFreedom(String path, long blockId) throws IOException {
    Optional<EncodedStripes.Stripe> stripe = encoded.of(blockId);
    if (stripe.isEmpty()) {
      return;
    }
    if (!places.tryAcquire()) {
      throw new RetriableException(
          path + " is encoded, and too many calls wait for replicas of such files");
    }
    try {
      Map<Long, Integer> wanted = wanted(stripe.get(), blockId);
      long deadline = Time.monotonicNow() + config.changeWaitMs();
      for (int lacking = lacking(wanted); lacking > 0; lacking = lacking(wanted)) {
        if (Time.monotonicNow() > deadline) {
          throw new RetriableException(
              path
                  + " is encoded, and "
                  + lacking
                  + " of "
                  + wanted.size()
                  + " blocks have not got their replicas back in "
                  + config.changeWaitMs()
                  + " ms; try again");
        }
        Thread.sleep(LOOK_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } finally {
      places.release();
    }
  }

  /** Blocks, with their factors, that have to have their replicas before one of them changes. */
  private Map<Long, Integer> wanted(EncodedStripes.Stripe stripe, long blockId) throws IOException {
    StripeRecord record = stripe.record();
    LocatedStripe located = LocatedStripe.of(stripe, lookup, withheld, cluster.get());
    List<MemberState> after = new ArrayList<>(located.members());
    for (int i = 0; i < after.size(); i++) {
      if (record.members().get(i).blockId() == blockId) {
        after.set(i, MemberState.CHANGED);
      }
    }
    boolean isGivenUp = config.careOf(record, after) == Care.GIVE_UP;
    Map<Long, Integer> wanted = new LinkedHashMap<>();
    for (int i = 0; i < after.size(); i++) {
      StripeRecord.Member member = record.members().get(i);
      StoredBlock block = located.blocks().get(i);
      boolean mustHaveReplicas =
          member.blockId() == blockId || (isGivenUp && after.get(i).isIntact());
      StoredFile file = block == null || !mustHaveReplicas ? null : lookup.file(block.fileId());
      if (file != null && !file.isCurrent()) {
        continue; // it gets none back, and must not hold up other files' owners
      }
      if (file != null && file.replication() == 1) {
        asSuperuser(() -> restoring.now(file, member.replication()));
        wanted.put(member.blockId(), member.replication());
      } else if (file != null) {
        wanted.put(member.blockId(), file.replication());
      }
    }
    return wanted;
  }

  private int lacking(Map<Long, Integer> wanted) {
    int usable = cluster.get().usableCount();
    int lacking = 0;
    for (StoredBlock block : lookup.blocks(List.copyOf(wanted.keySet()))) {
      if (block != null && !FileRestoring.hasReplicas(block, wanted.get(block.id()), usable)) {
        lacking++;
      }
    }
    return lacking;
  }
}
