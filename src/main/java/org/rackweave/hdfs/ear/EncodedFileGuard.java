package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RetriableException;
import org.rackweave.ear.StripeMaintenance.Care;
import org.rackweave.ear.StripeMaintenance.MemberState;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.EarConfig;
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
 *       cannot do without it, so do the stripe's other blocks; what is missing and cannot be made
 *       without it is made first. The call waits for it, a bounded time; then it fails with an
 *       exception that HDFS's clients retry where they are told to.
 *   <li>append of a new block, concat: the file gets its factor back, without waiting.
 *   <li>setrep: the file keeps the factor from then on, be it one.
 *   <li>delete, rename, overwriting: nothing; see {@link WithheldReplicas}.
 * </ul>
 *
 * <p>Where that cannot be done now, or it is not known whether a file of one replica is encoded,
 * the call fails the same way: it never changes the only replica that a stripe counts on.
 *
 * <p>Thread-safe; see {@link HandlerWaitLimit} for what bounds the waiting.
 */
public final class EncodedFileGuard {
  private static final Logger LOG = LoggerFactory.getLogger(EncodedFileGuard.class);

  /**
   * Where HDFS makes no more, as full DataNodes have no room: what survives the loss of one. A
   * write that fails until somebody makes room would be worse.
   */
  private static final int SAFE_REPLICAS = 2;

  private final NameNode nameNode;
  private final Supplier<EarConfig> config;
  private final BlockLookup lookup;
  private final EncodedStripes encoded;
  private final WithheldReplicas withheld;
  private final FileRestoring restoring;
  private final FileShrinking shrinking;
  private final StripeMonitor monitor;
  private final ReplicaSearch search;
  private final BooleanSupplier knowsStripes;
  private final Supplier<ClusterView> cluster;
  private final HandlerWaitLimit waits;

  EncodedFileGuard(
      NameNode nameNode,
      EncodedView view,
      FileRestoring restoring,
      FileShrinking shrinking,
      StripeMonitor monitor,
      ReplicaSearch search,
      HandlerWaitLimit waits) {
    this.nameNode = nameNode;
    config = view.config();
    lookup = view.lookup();
    encoded = view.encoded();
    withheld = view.withheld();
    this.restoring = restoring;
    this.shrinking = shrinking;
    this.monitor = monitor;
    this.search = search;
    knowsStripes = view.isComplete();
    cluster = view.cluster();
    this.waits = waits;
  }

  /** Whether nothing is encoded, nor is to be. */
  boolean hasNothingToGuard() {
    return knowsStripes.getAsBoolean()
        && encoded.stripeCount() == 0
        && config.get().paths().codes().isEmpty();
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
    try (FileShrinking.Exemption exempt = shrinking.exempt(file.id())) {
      boolean isChanged = !newBlock && isPartial(last, file);
      prepare(file, isChanged ? Optional.of(last) : Optional.empty(), exempt);
      return call.answer();
    } finally {
      monitor.suspect(last);
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
    try (FileShrinking.Exemption exempt = shrinking.exempt(file.id())) {
      Optional<Long> cut = cutBlock(file, newLength);
      if (cut.isPresent()) {
        prepare(file, cut, exempt);
      }
      return call.answer();
    } finally {
      file.blockIds().forEach(monitor::suspect);
    }
  }

  /**
   * Has other files' blocks joined to a file's, whose factor they get.
   *
   * @throws RetriableException when the factor could not be restored
   */
  <T, E extends Exception> T concat(String target, Call<T, E> call) throws IOException, E {
    StoredFile file = encodedFile(target);
    if (file == null) {
      return call.answer();
    }
    try (FileShrinking.Exemption exempt = shrinking.exempt(file.id())) {
      prepare(file, Optional.empty(), exempt);
      return call.answer();
    }
  }

  /**
   * Has a file's factor set. The file is marked to keep it, before it has it: a call that fails in
   * between is repeated or changes nothing.
   *
   * @throws RetriableException when the file could not be marked
   */
  <T, E extends Exception> T setReplication(String path, int replication, Call<T, E> call)
      throws IOException, E {
    StoredFile file = writableFile(path);
    ReplicaMark mark = ReplicaMark.ofFactor(replication);
    // As long as nobody knows, what a rule covers may be encoded, and be shrunk once that is known.
    boolean isConcerned =
        file != null
            && file.mark() != mark
            && (knowsStripes.getAsBoolean()
                ? isTaken(file)
                : file.replication() == 1 || hasRule(file));
    if (!isConcerned) {
      return call.answer();
    }
    try (FileShrinking.Exemption ignored = shrinking.exempt(file.id())) {
      boolean isMarked = mark(path, file, mark);
      boolean isDone = false;
      try {
        T answer = call.answer();
        isDone = true;
        return answer;
      } finally {
        if (isMarked && !isDone) {
          mark(path, file, file.mark());
        }
      }
    }
  }

  /**
   * Marks a file; whether that was done. It has to be where replicas would go again else. One that
   * is to have one replica, and is not marked, gets more of them at worst.
   */
  private boolean mark(String path, StoredFile file, ReplicaMark mark) throws IOException {
    try (HandlerWaitLimit.Place place = waits.enter(path)) {
      place.asSuperuser(() -> lookup.mark(file.id(), mark));
      return true;
    } catch (IOException e) {
      if (mark == ReplicaMark.KEEP) {
        throw e;
      }
      LOG.debug("{} is not marked as {}", path, mark, e);
      return false;
    }
  }

  /**
   * The file if a block of it is encoded and the caller may write it, {@code null} otherwise.
   *
   * @throws RetriableException when nobody knows yet
   */
  private StoredFile encodedFile(String path) throws IOException {
    StoredFile file = writableFile(path);
    if (file != null && !knowsStripes.getAsBoolean()) {
      if (mayBeEncoded(file)) {
        awaitKnowledge(path);
      } else if (hasRule(file)) {
        file.blockIds().forEach(monitor::suspect); // before others' replicas are counted on
      }
    }
    return file != null && hasEncoded(file) ? file : null;
  }

  /**
   * As long as nobody knows: also one that has just got its factor back, or could not give it up.
   * Others are changed, and looked at later.
   */
  private boolean mayBeEncoded(StoredFile file) {
    return file.replication() == 1
        || file.mark() == ReplicaMark.KEEP
        || hasRule(file) && (file.heldReplication() > 1 || lacksReplicas(file));
  }

  private boolean hasRule(StoredFile file) {
    return config.get().paths().of(file.path()).isPresent();
  }

  private boolean lacksReplicas(StoredFile file) {
    return lookup.blocks(file.blockIds()).stream()
        .anyMatch(
            block ->
                block != null
                    && block.isComplete()
                    && block.replicas().size() + block.leaving().size() < block.expectedReplicas());
  }

  /** Whether a block of it is encoded, or will have been in a moment. */
  private boolean isTaken(StoredFile file) {
    return file.blockIds().stream().anyMatch(encoded::isTaken);
  }

  private boolean hasEncoded(StoredFile file) {
    return file.blockIds().stream().anyMatch(encoded::contains);
  }

  /** {@code null} when HDFS will refuse the caller, or no file is encoded. */
  private StoredFile writableFile(String path) {
    boolean isNoneTaken = knowsStripes.getAsBoolean() && !encoded.hasTakenAny();
    if (!nameNode.isActiveState() || isNoneTaken) {
      return null;
    }
    try {
      HdfsFileStatus status = nameNode.getRpcServer().getFileInfo(path);
      StoredFile file =
          status == null || status.isDirectory() ? null : lookup.file(status.getFileId());
      if (file == null || !file.isCurrent()) {
        return null;
      }
      nameNode.getRpcServer().checkAccess(path, FsAction.WRITE);
      return file;
    } catch (IOException e) {
      return null; // no right to it, or no such file: HDFS will tell the caller
    }
  }

  /** A NameNode that has just become active reads its stripes first; not in safe mode. */
  private void awaitKnowledge(String path) throws IOException {
    try (HandlerWaitLimit.Place place = waits.enter(path)) {
      boolean isKnown =
          !nameNode.isInSafeMode()
              && place.await(() -> knowsStripes.getAsBoolean() || !nameNode.isActiveState());
      if (!isKnown) {
        throw new RetriableException(
            path
                + " has one replica, and this NameNode has not determined yet whether it is"
                + " encoded; try again");
      }
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

  /**
   * Restores a file's factor, and has a block that is about to change wait until it may without
   * harm to itself or others. Files of the others keep their replicas as long as the exemption
   * lasts: until the change itself nobody else sees that their stripe is to be given up.
   */
  private void prepare(StoredFile file, Optional<Long> changed, FileShrinking.Exemption exempt)
      throws IOException {
    Optional<EncodedStripes.Stripe> stripe = changed.flatMap(encoded::of);
    if (file.replication() > 1 && stripe.isEmpty()) {
      return;
    }
    int before = encoded.replicationBefore(file.blockIds());
    try (HandlerWaitLimit.Place place = waits.enter(file.path())) {
      if (file.replication() == 1 && file.mark() != ReplicaMark.ONE) {
        place.asSuperuser(() -> restoring.now(file, before));
      }
      if (stripe.isPresent()) {
        List<Long> wanted = wanted(stripe.get(), changed.get(), place, exempt);
        if (!place.await(() -> lacking(wanted, Integer.MAX_VALUE).isEmpty())
            && !lacking(wanted, SAFE_REPLICAS).isEmpty()) {
          throw new RetriableException(
              file.path()
                  + " is encoded, and of "
                  + wanted.size()
                  + " blocks these have not got their replicas back in "
                  + config.get().changeWaitMs()
                  + " ms: "
                  + lacking(wanted, Integer.MAX_VALUE)
                  + "; try again");
        }
        awaitRepair(file, stripe.get(), changed.get(), place);
      }
    }
  }

  /** What others miss now is made again first, if it could not be without the block. */
  private void awaitRepair(
      StoredFile file, EncodedStripes.Stripe stripe, long blockId, HandlerWaitLimit.Place place)
      throws IOException {
    if (!isNeeded(stripe, blockId)) {
      return;
    }
    monitor.suspect(blockId);
    if (!place.await(() -> !isNeeded(stripe, blockId))) {
      throw new RetriableException(
          file.path()
              + " is encoded, and blocks that are missing can be made again only with its block "
              + blockId
              + " as it is, which has not been done in "
              + config.get().changeWaitMs()
              + " ms: "
              + missing(stripe)
              + "; try again");
    }
  }

  private boolean isNeeded(EncodedStripes.Stripe stripe, long blockId) {
    LocatedStripe located = LocatedStripe.of(stripe, lookup, withheld, cluster.get());
    return !isGivenUpWithout(located, blockId) && located.needs(blockId, search::mayTurnUp);
  }

  private List<String> missing(EncodedStripes.Stripe stripe) {
    LocatedStripe located = LocatedStripe.of(stripe, lookup, withheld, cluster.get());
    return Arrays.stream(located.missing())
        .mapToObj(block -> "blk_" + located.blocks().get(block).id())
        .toList();
  }

  /** Whether a stripe is given up once a member has changed. */
  private boolean isGivenUpWithout(LocatedStripe located, long blockId) {
    StripeRecord record = located.stripe().record();
    return config.get().careOf(record, located.membersOnceChanged(blockId)) == Care.GIVE_UP;
  }

  /** Blocks that have to have their replicas before one of them changes. */
  private List<Long> wanted(
      EncodedStripes.Stripe stripe,
      long blockId,
      HandlerWaitLimit.Place place,
      FileShrinking.Exemption exempt)
      throws IOException {
    StripeRecord record = stripe.record();
    LocatedStripe located = LocatedStripe.of(stripe, lookup, withheld, cluster.get());
    List<MemberState> after = located.membersOnceChanged(blockId);
    boolean isGivenUp = isGivenUpWithout(located, blockId);
    boolean mayBeDecoded = located.mayBeDecoded(search::mayTurnUp);
    List<Long> wanted = new ArrayList<>();
    for (int i = 0; i < after.size(); i++) {
      StripeRecord.Member member = record.members().get(i);
      StoredBlock block = located.blocks().get(i);
      boolean mustHaveReplicas =
          member.blockId() == blockId || (isGivenUp && after.get(i).isIntact());
      // What is lost for good must not hold up other files' owners.
      if (block == null || !mustHaveReplicas || !(mayBeDecoded || block.isReadable())) {
        continue;
      }
      exempt.add(block.fileId());
      StoredFile file = lookup.file(block.fileId());
      if (file != null && file.canGetBack(block.id())) {
        place.asSuperuser(() -> restoring.now(file, member.replication()));
      }
      if (file != null && file.hasNow(block.id())) {
        wanted.add(block.id()); // what only snapshots keep gets none back, and holds up nobody
      }
    }
    return wanted;
  }

  /**
   * Blocks that have not got their replicas back, each with how many it has, and is to have.
   *
   * @param enough so many suffice
   */
  private List<String> lacking(List<Long> wanted, int enough) {
    int usable = Math.min(cluster.get().usableCount(), enough);
    return lookup.blocks(wanted).stream()
        .filter(Objects::nonNull)
        .filter(block -> !FileRestoring.hasReplicas(block, usable))
        .map(
            block ->
                String.format(
                    "blk_%d (%d of %d)",
                    block.id(), block.replicas().size(), block.expectedReplicas()))
        .toList();
  }
}
