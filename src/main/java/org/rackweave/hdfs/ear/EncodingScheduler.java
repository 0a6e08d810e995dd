package org.rackweave.hdfs.ear;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.util.Time;
import org.rackweave.ear.SealedStripe;
import org.rackweave.ear.WrittenBlock;
import org.rackweave.hdfs.DaemonThreads;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.hdfs.ear.EncodingService.EncodingRequest;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes sealed stripes from the registry when their turn has come and has them encoded, a few at a
 * time, each watched over by a thread. Told what is due by one thread.
 */
final class EncodingScheduler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EncodingScheduler.class);
  private static final LogThrottle REFUSAL_LOG = LogThrottle.oncePerMinute();
  private static final long THREAD_IDLE_MS = 60_000;

  /** Sealed stripes looked at in a tick, when the turn of none has come. */
  private static final int LOOKED_AT_MAX = 100;

  /** The same while somebody waits for some of them. */
  private static final int LOOKED_AT_FOR_WISH_MAX = 1000;

  private final Supplier<EarConfig> config;
  private final StripeRegistry registry;
  private final BlockLookup lookup;
  private final StripeEncoder encoder;
  private final EncodingSchedule turn;
  private final Consumer<StripeEncoder.Encoded> whenEncoded;
  private final ExecutorService workers;
  private final AtomicInteger underWay = new AtomicInteger();

  /**
   * @param whenEncoded told of each stripe encoded, by any thread
   */
  EncodingScheduler(
      Supplier<EarConfig> config,
      StripeRegistry registry,
      BlockLookup lookup,
      StripeEncoder encoder,
      Consumer<StripeEncoder.Encoded> whenEncoded) {
    this.config = config;
    this.registry = registry;
    this.lookup = lookup;
    this.encoder = encoder;
    this.whenEncoded = whenEncoded;
    turn = new EncodingSchedule(lookup, config);
    workers = workers();
  }

  /** As many threads as stripes that are being encoded, which {@code concurrent} bounds. */
  private static ExecutorService workers() {
    return new ThreadPoolExecutor(
        0,
        EarConfig.ENCODE_CONCURRENT_MAX,
        THREAD_IDLE_MS,
        TimeUnit.MILLISECONDS,
        new SynchronousQueue<>(),
        DaemonThreads.numbered("rackweave-encode"));
  }

  /** Whether stripes are being encoded. */
  boolean isBusy() {
    return underWay.get() > 0;
  }

  /**
   * Has encoded what is due.
   *
   * @param now what an operator wants, {@code null} when nothing
   * @param concurrent stripes at a time
   * @param byItself whether stripes are encoded that nobody wishes
   */
  void sendDue(EncodingRequest now, int concurrent, boolean byItself) {
    int most = now == null ? LOOKED_AT_MAX : LOOKED_AT_FOR_WISH_MAX;
    for (int looks = Math.min(most, registry.sealedWaiting()); looks > 0; looks--) {
      if (underWay.get() >= concurrent) {
        return;
      }
      SealedStripe stripe = registry.nextSealed();
      if (stripe == null) {
        return;
      }
      EncodingSchedule.Answer answer = turn.of(stripe, now, byItself, Time.now());
      switch (answer.turn()) {
        case NOW -> send(stripe);
        case LATER -> registry.putBack(stripe);
        case TAKE_APART -> takeApart(stripe, answer.blocks());
      }
    }
  }

  /** What is to be encoded of a stripe gets into others at once. */
  private void takeApart(SealedStripe stripe, List<EncodingSchedule.Member> blocks) {
    registry.takenApart(stripe);
    for (EncodingSchedule.Member member : blocks) {
      StoredBlock block = member.block();
      List<String> uuids =
          block.replicas().stream().map(DatanodeDescriptor::getDatanodeUuid).toList();
      WrittenBlock written =
          new WrittenBlock(block.id(), block.lengthBytes(), member.replication());
      registry.found(stripe.code(), written, uuids, Time.monotonicNow());
    }
  }

  private void send(SealedStripe stripe) {
    underWay.incrementAndGet();
    try {
      workers.execute(() -> encode(stripe));
    } catch (RejectedExecutionException e) {
      underWay.decrementAndGet();
      registry.finished(stripe);
    }
  }

  private void encode(SealedStripe stripe) {
    try {
      whenEncoded.accept(encoder.encode(stripe));
    } catch (EncodingFailedException e) {
      List<String> files = files(stripe);
      String text =
          String.format(
              "%s of %s is not encoded (%s): %s",
              stripe, files, e.reason().label(), e.getMessage());
      registry.refused(e.reason(), files, text);
      if (REFUSAL_LOG.shouldLog()) {
        LOG.warn(text);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      HookGuard.failed(Hook.ENCODING, e);
      LOG.error("Encoding {} failed", stripe, e);
    } finally {
      underWay.decrementAndGet();
      registry.finished(stripe);
    }
  }

  /** Paths of its files, as far as there are some. */
  private List<String> files(SealedStripe stripe) {
    try {
      return lookup.blocks(stripe.blockIdList()).stream()
          .filter(Objects::nonNull)
          .map(StoredBlock::fileId)
          .distinct()
          .map(lookup::file)
          .filter(Objects::nonNull)
          .map(StoredFile::path)
          .toList();
    } catch (RuntimeException e) {
      return List.of(); // the NameNode is closing and has thrown its blocks away
    }
  }

  /** Takes no more; what is under way ends by itself. */
  @Override
  public void close() {
    workers.shutdown();
  }
}
