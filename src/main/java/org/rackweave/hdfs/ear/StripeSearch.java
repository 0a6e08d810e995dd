package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.Time;
import org.rackweave.ear.EncodingTerms;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.PathCodes;
import org.rackweave.ear.WrittenBlock;
import org.rackweave.hdfs.ActiveTerm;
import org.rackweave.hdfs.hook.ActiveService;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookTimer;

/**
 * Looks for blocks that are to be encoded and are in no stripe, and gives them a place by where
 * their replicas really are: those written before this NameNode became active, and those that left
 * another stripe.
 *
 * <p>One walk over the directories with a code after another, in a thread of its own that works a
 * tenth of the time, and only while the NameNode is active and out of safe mode. When it stops
 * being active all stripes are forgotten: from then on others change what they were formed from.
 */
public final class StripeSearch implements AutoCloseable {
  private static final long REST_MS = 450;
  private static final long WORK_MS = 50;
  private static final long NEVER = Long.MIN_VALUE / 2;

  private final NameNode nameNode;
  private final StripeRegistry registry;
  private final EncodingService encoding;

  /** What rules said when the walk began. */
  private PathCodes paths;

  private final HookTimer thread = new HookTimer("rackweave-stripe-search");

  /** {@code null} between walks. */
  private NamespaceScan walk;

  /** When the last walk was over. */
  private long walkedMs = NEVER;

  private final ActiveService service;

  /**
   * @param encoding told of each file that has surplus replicas although all of its blocks are
   *     encoded
   */
  public StripeSearch(NameNode nameNode, StripeRegistry registry, EncodingService encoding) {
    this.nameNode = nameNode;
    this.registry = registry;
    this.encoding = encoding;
    paths = registry.config().paths();
    service = new ActiveService(nameNode, this::rest, term -> work(Time.monotonicNow()));
  }

  /** Begins; returns at once. */
  public void start() {
    thread.every(Hook.STRIPE_SEARCH, REST_MS, this::tick);
  }

  @Override
  public void close() {
    thread.closeNow();
  }

  /** Whether it has worked in a term that may be over. */
  private boolean hasWorked;

  private void tick() throws Exception {
    boolean isOver = false;
    try {
      service.tick();
      isOver = true;
    } finally {
      walk = isOver ? walk : null; // begins anew
    }
  }

  private void rest() {
    walk = null;
    walkedMs = NEVER;
    boolean isAnothers = hasWorked || ActiveTerm.of(nameNode) == ActiveTerm.NONE;
    if (isAnothers && !registry.isEmpty()) {
      registry.forgetAll();
    }
    hasWorked = false;
  }

  private void work(long nowMs) throws IOException {
    hasWorked = true;
    if (nameNode.isInSafeMode() || !registry.knowsTheCluster() || !encoding.knowsStripes()) {
      return; // or blocks of stripes that another encoded would be found
    }
    if (encoding.isOff()) {
      walk = null;
      return;
    }
    if (nowMs - walkedMs < registry.config().searchIntervalMs()
        && registry.config().paths().equals(paths)) {
      return;
    }
    if (walk == null) {
      paths = registry.config().paths();
      walk =
          new NamespaceScan(
              (directory, startAfter) ->
                  nameNode.getRpcServer().getListing(directory, startAfter, true),
              paths.directories(),
              directory -> !paths.hasRuleFor(directory));
    }
    boolean isOver = false;
    while (!isOver && Time.monotonicNow() - nowMs < WORK_MS) {
      isOver = !walk.step(this::look);
    }
    if (isOver) {
      walk = null;
      walkedMs = Time.monotonicNow();
      registry.searched();
    }
  }

  private void look(String path, HdfsFileStatus listed) {
    // Asked for blocks the NameNode lists nothing else.
    HdfsLocatedFileStatus file = (HdfsLocatedFileStatus) listed;
    Optional<ErasureCode> code = paths.of(path);
    LocatedBlocks blocks = file.getLocatedBlocks();
    boolean isReplicated = file.getErasureCodingPolicy() == null && file.getReplication() > 1;
    if (code.isEmpty() || !isReplicated || blocks == null || blocks.isUnderConstruction()) {
      return;
    }
    boolean isEncoded =
        blocks.locatedBlockCount() > 0
            && blocks.getLocatedBlocks().stream()
                .allMatch(block -> registry.encoded().contains(block.getBlock().getBlockId()));
    if (isEncoded) {
      encoding.sawEncodedFile(file.getFileId());
    } else if (isWorthAPlace(path, file, code.get()) && !encoding.keepsReplicas(file.getFileId())) {
      findPlaces(file, blocks, code.get());
    }
  }

  /** Whether others of a stripe would not wait for it in vain. */
  private boolean isWorthAPlace(String path, HdfsFileStatus file, ErasureCode code) {
    EncodingTerms.Verdict verdict =
        paths
            .termsOf(path)
            .judge(
                Time.now(),
                file.getModificationTime(),
                file.getAccessTime(),
                file.getLen(),
                registry.config().rulesOf(code).sealAgeMs());
    return verdict == EncodingTerms.Verdict.NOW || verdict == EncodingTerms.Verdict.SOON;
  }

  private void findPlaces(HdfsFileStatus file, LocatedBlocks blocks, ErasureCode code) {
    long nowMs = Time.monotonicNow();
    for (LocatedBlock block : blocks.getLocatedBlocks()) {
      // A block short of replicas gets them first; it may then be found where they fit a stripe.
      if (!block.isCorrupt() && block.getLocations().length >= file.getReplication()) {
        registry.found(code, writtenBlock(block, file.getReplication()), uuids(block), nowMs);
      }
    }
  }

  static WrittenBlock writtenBlock(LocatedBlock block, int replication) {
    return new WrittenBlock(block.getBlock().getBlockId(), block.getBlockSize(), replication);
  }

  private static List<String> uuids(LocatedBlock block) {
    return Arrays.stream(block.getLocations()).map(DatanodeInfo::getDatanodeUuid).toList();
  }
}
