package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.work.EncodeTask;
import org.rackweave.hdfs.work.WorkQueue;
import org.rackweave.hdfs.work.WorkReport;

/**
 * Lays work out, rack by rack, for an operator's command to fetch and have done outside HDFS, such
 * as by YARN. Its blocks carry tokens, because the worker has no keys. What nobody has begun when
 * it is refused, and what is of racks that the command does not serve, falls to another engine.
 *
 * <p>Soft state, gone with the command: an order that it does not mention for {@value #SILENCE_MS}
 * ms has failed, and when it says nothing at all for so long what comes then falls to the other
 * engine, too. Thread-safe.
 */
final class OutsideEngine implements EncodeEngine {
  private static final long SILENCE_MS = 60_000;

  /** What may pass until somebody begins: orders are collected, and clusters busy. */
  private static final long BEGIN_MS = 900_000;

  private static final StorageType[] ANY_STORAGE = {};
  private static final String[] ANY_STORAGE_ID = {};

  private final WorkQueue byRack = new WorkQueue("whoever encodes in rack", SILENCE_MS, Time.now());
  private final EncodeEngine others;
  private final Supplier<BlockTokenSecretManager> tokens;
  private final ConcurrencyLimit othersInTurn;
  private volatile Set<String> racks = Set.of();
  private volatile long heardAtMs;

  /**
   * @param others does what cannot be done outside
   * @param othersAtATime stripes of theirs
   * @param tokens makes block tokens; gives {@code null} where the cluster has none
   */
  OutsideEngine(
      EncodeEngine others, IntSupplier othersAtATime, Supplier<BlockTokenSecretManager> tokens) {
    this.others = others;
    othersInTurn = new ConcurrencyLimit(othersAtATime);
    this.tokens = tokens;
  }

  /** Lays the work of these racks out from now on, and withdraws what was laid out before. */
  void serve(Set<String> now, long nowMs) {
    heardAtMs = nowMs;
    racks = Set.copyOf(now);
    byRack.withdrawAll();
  }

  @Override
  public Given give(Work work, long nowMs) {
    long timeMs = BEGIN_MS + StripeCommands.timeMs(work.task(), work.blockBytes());
    if (!racks.contains(work.rack()) || nowMs - heardAtMs > SILENCE_MS) {
      return new Given("some DataNode in " + work.rack(), byOthers(work), timeMs, work.readers());
    }
    CompletableFuture<WorkReport> report =
        byRack
            .give(work.rack(), withTokens(work.task()), timeMs, nowMs)
            .thenCompose(said -> doneOrPassedOn(said, work));
    return new Given("somebody in " + work.rack(), report, 2 * timeMs, work.readers());
  }

  private CompletableFuture<WorkReport> doneOrPassedOn(WorkReport said, Work work) {
    return said.state() == WorkReport.State.REFUSED
        ? byOthers(work)
        : CompletableFuture.completedFuture(said);
  }

  /** Far more stripes are under way outside than others are to have at a time. */
  private CompletableFuture<WorkReport> byOthers(Work work) {
    return othersInTurn.begin(() -> others.give(work, Time.monotonicNow()).report());
  }

  private EncodeTask withTokens(EncodeTask task) {
    BlockTokenSecretManager maker = tokens.get();
    if (maker == null) {
      return task;
    }
    try {
      List<LocatedBlock> data = new ArrayList<>();
      for (LocatedBlock block : task.data()) {
        LocatedBlock copy = copy(block);
        copy.setBlockToken(
            maker.generateToken(
                block.getBlock(), EnumSet.of(AccessMode.READ), ANY_STORAGE, ANY_STORAGE_ID));
        data.add(copy);
      }
      List<LocatedBlock> parity = new ArrayList<>();
      for (LocatedBlock block : task.parity()) {
        LocatedBlock copy = copy(block);
        // Who writes it asks for its digest afterwards, which is reading.
        copy.setBlockToken(
            maker.generateToken(
                block.getBlock(),
                EnumSet.of(AccessMode.READ, AccessMode.WRITE),
                block.getStorageTypes(),
                block.getStorageIDs()));
        parity.add(copy);
      }
      return new EncodeTask(task.code(), data, parity, task.bytesPerSec());
    } catch (IOException e) {
      throw new IllegalStateException("no block tokens: " + e.getMessage(), e);
    }
  }

  private static LocatedBlock copy(LocatedBlock block) {
    return new LocatedBlock(
        block.getBlock(), block.getLocations(), block.getStorageIDs(), block.getStorageTypes());
  }

  /** The command asks for racks of which there is work that nobody has fetched, in order. */
  List<String> racksWithNewWork(long nowMs) {
    heardAtMs = nowMs;
    return byRack.withNewOrders();
  }

  /**
   * As {@link WorkQueue#heard}, of a rack.
   *
   * @return a reply, an empty array when there is nothing to tell
   */
  byte[] heard(String rack, byte[] reports, long nowMs) {
    heardAtMs = nowMs;
    byte[] reply = byRack.heard(rack, reports, nowMs);
    return reply == null ? new byte[0] : reply;
  }

  /** Ends what has failed by taking too long; to be called repeatedly. */
  void expire(long nowMs) {
    byRack.expire(nowMs);
  }
}
