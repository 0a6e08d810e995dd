package org.rackweave.hdfs.ear;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** What has been encoded since the start. Thread-safe. */
public final class EncodingCounts {
  private static final int LAST_REFUSALS_MAX = 20;

  private final LongAdder stripes = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder bytesReadInRack = new LongAdder();
  private final LongAdder bytesReadAcrossRacks = new LongAdder();
  private final LongAdder filesShrunk = new LongAdder();
  private final LongAdder blocksRepaired = new LongAdder();
  private final LongAdder repairsFailed = new LongAdder();
  private final LongAdder membersLeft = new LongAdder();
  private final LongAdder stripesGivenUp = new LongAdder();
  private final LongAdder walks = new LongAdder();
  private volatile int givingUp;

  /** {@code null} until it is known. */
  private volatile WithheldReplicas withheld;

  private volatile int decodable;
  private volatile int lost;
  private final Map<EncodingRefusal, LongAdder> refusals = new EnumMap<>(EncodingRefusal.class);

  private final Deque<String> lastRefusals = new ArrayDeque<>();
  private volatile Map<FileShrinking.Outcome, Integer> waiting = Map.of();
  private volatile Map<String, Integer> heldBySnapshot = Map.of();

  EncodingCounts() {
    for (EncodingRefusal refusal : EncodingRefusal.values()) {
      refusals.put(refusal, new LongAdder());
    }
  }

  void encoded(long dataBytes) {
    stripes.increment();
    bytes.add(dataBytes);
  }

  /** Counts what has been read for a stripe, of the rack where its parity was made and others. */
  void read(long inRackBytes, long acrossRacksBytes) {
    bytesReadInRack.add(inRackBytes);
    bytesReadAcrossRacks.add(acrossRacksBytes);
  }

  /** Bytes of data blocks that were read to encode them, from the rack that encoded. */
  public long bytesReadInRack() {
    return bytesReadInRack.sum();
  }

  /** The same from other racks: 0, unless something is wrong. */
  public long bytesReadAcrossRacks() {
    return bytesReadAcrossRacks.sum();
  }

  void refused(EncodingRefusal why, String text) {
    refusals.get(why).increment();
    synchronized (lastRefusals) {
      if (lastRefusals.size() == LAST_REFUSALS_MAX) {
        lastRefusals.removeFirst();
      }
      lastRefusals.addLast(text);
    }
  }

  /** The last refusals in words, the oldest first. */
  List<String> lastRefusals() {
    synchronized (lastRefusals) {
      return List.copyOf(lastRefusals);
    }
  }

  /** Remembers how many stripes miss blocks, of those looked at last. */
  void damaged(int decodableStripes, int lostStripes) {
    decodable = decodableStripes;
    lost = lostStripes;
  }

  void repaired(int blocks) {
    blocksRepaired.add(blocks);
  }

  void repairFailed() {
    repairsFailed.increment();
  }

  /** Stripes that miss blocks which the others can make. */
  public int decodable() {
    return decodable;
  }

  /** Stripes that miss more blocks than the others can make. */
  public int lost() {
    return lost;
  }

  /** Blocks that were missing and have been made again. */
  public long blocksRepaired() {
    return blocksRepaired.sum();
  }

  public long repairsFailed() {
    return repairsFailed.sum();
  }

  void membersLeft(int blocks) {
    membersLeft.add(blocks);
  }

  /** Blocks that were deleted or changed and that their stripe did without. */
  public long membersLeft() {
    return membersLeft.sum();
  }

  void givenUp() {
    stripesGivenUp.increment();
  }

  /** Stripes whose blocks have their replicas back, or that nobody needed any more. */
  public long stripesGivenUp() {
    return stripesGivenUp.sum();
  }

  /** Remembers how many stripes cannot be rid of yet. */
  void givingUp(int stripes) {
    givingUp = stripes;
  }

  /** Replicas of deleted blocks that are still there because stripes count on them. */
  public int replicasWithheld() {
    WithheldReplicas now = withheld;
    return now == null ? 0 : now.count();
  }

  /** Who knows of deletions; to be named once. */
  void deletions(WithheldReplicas withheldReplicas) {
    withheld = withheldReplicas;
  }

  /** How long deletions have waited for stripes to be read, 0 when none does. */
  public long deletionsWaitingMs() {
    WithheldReplicas now = withheld;
    return now == null ? 0 : now.waitingMs();
  }

  /** Orders to delete that were put back into HDFS's queue, as often as they were. */
  public long deletionsPutBack() {
    WithheldReplicas now = withheld;
    return now == null ? 0 : now.putBackCount();
  }

  /** That deletions wait for stripes to be read and what to do, empty when none does. */
  public String deletionAlarm() {
    long waitingMs = deletionsWaitingMs();
    return waitingMs == 0
        ? ""
        : String.format(
            "deletions have waited for %d s: %s", waitingMs / 1000, WithheldReplicas.WHAT_TO_DO);
  }

  /** Stripes that wait to be given up until their blocks have their replicas back. */
  public int givingUp() {
    return givingUp;
  }

  void walked() {
    walks.increment();
  }

  /** How often all encoded stripes have been looked at. */
  public long walks() {
    return walks.sum();
  }

  void shrunk() {
    filesShrunk.increment();
  }

  public long stripes() {
    return stripes.sum();
  }

  /** Bytes of data blocks in these stripes. */
  public long bytes() {
    return bytes.sum();
  }

  /** Files whose surplus replicas were taken away. */
  public long filesShrunk() {
    return filesShrunk.sum();
  }

  /** Remembers why files keep their replicas, of those looked at last. */
  void waiting(Map<FileShrinking.Outcome, Integer> files, Map<String, Integer> bySnapshot) {
    waiting = Map.copyOf(files);
    heldBySnapshot = Collections.unmodifiableMap(new TreeMap<>(bySnapshot));
  }

  /** How many files keep their replicas although all of their blocks are encoded, and why. */
  public Map<FileShrinking.Outcome, Integer> filesWaiting() {
    return waiting;
  }

  /** How many of these files a snapshot holds, by its path. */
  public Map<String, Integer> filesBySnapshot() {
    return heldBySnapshot;
  }

  public long refusals(EncodingRefusal why) {
    return refusals.get(why).sum();
  }

  /** For logs. */
  @Override
  public String toString() {
    return String.format(
        "%d stripes encoded, %d files shrunk, waiting %s; %d decodable, %d lost, %d blocks repaired,"
            + " %d repairs failed; %d members left, %d stripes given up, %d being given up, %d replicas"
            + " withheld",
        stripes(),
        filesShrunk(),
        waiting,
        decodable,
        lost,
        blocksRepaired(),
        repairsFailed(),
        membersLeft(),
        stripesGivenUp(),
        givingUp,
        replicasWithheld());
  }
}
