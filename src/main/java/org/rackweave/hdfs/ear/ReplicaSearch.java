package org.rackweave.hdfs.ear;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.work.SearchTask;
import org.rackweave.hdfs.work.WorkReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks DataNodes which of them have replicas of deleted blocks that damaged stripes are to be
 * decoded with. A NameNode that has restarted or become active does not know: HDFS passes over
 * replicas of no file in a DataNode's first full report, and the next is hours away.
 *
 * <p>All that live are asked for the same few blocks at a time, and answer with a heartbeat or two.
 * What they have is withheld from deletion from then on, see {@link WithheldReplicas}. One that
 * does not answer, as it runs no agent or one that knows nothing of this, is left alone for {@value
 * #MUTE_MINUTES} minutes. Those that come later, as most do after a start, are asked once they are
 * there, and all again every {@value #AGAIN_MINUTES} minutes, since an answer may have been lost.
 *
 * <p>Soft state, bounded. {@link #mayTurnUp} may be called by any thread and answers may come on
 * any, all else is for one.
 */
class ReplicaSearch {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaSearch.class);
  private static final LogThrottle NOTHING_FOUND_LOG = LogThrottle.oncePerMinute();

  private static final int AGAIN_MINUTES = 2;
  static final long AGAIN_AFTER_MS = TimeUnit.MINUTES.toMillis(AGAIN_MINUTES);
  private static final int MUTE_MINUTES = 10;
  static final long MUTE_MS = TimeUnit.MINUTES.toMillis(MUTE_MINUTES);

  /** Blocks that are remembered; others are wanted again at later looks. */
  static final int BLOCKS_MAX = 10_000;

  private static final long NOBODY = 0;

  private final StripeCommands commands;
  private final WithheldReplicas withheld;

  /** By the block's id, in the order in which they were wanted. */
  private final Map<Long, Sought> all = new LinkedHashMap<>();

  /** Others are wanted than are remembered: those that nobody waits for any more give way. */
  private boolean isShortOfRoom;

  /**
   * By UUID, the DataNodes that live while something is looked for, each with the number of its
   * coming: those after {@link Sought#askedUpTo} have yet to be asked.
   */
  private final Map<String, Long> came = new HashMap<>();

  private long comings;

  /** By UUID, DataNodes that did not answer when they were last asked, and when that was over. */
  private final Map<String, Long> mute = new LinkedHashMap<>();

  /** {@code null} while nobody is asked. */
  private Round current;

  /** A question to some or all, until the last has answered, or is not waited for any more. */
  private static final class Round {
    final List<Sought> sought;
    final long askedMs;

    /** Whether nobody had been asked for these before, or not for long. */
    final boolean isOfAll;

    /** The last coming of who is asked. */
    final long upTo;

    /** DataNodes that were asked. */
    final int asked;

    /** Answers that are still to come. */
    int open;

    int found;

    /** Whether nobody was passed over who had too much to do. */
    boolean isComplete = true;

    Round(List<Sought> sought, long upTo, int asked, long askedMs) {
      this.sought = sought;
      this.upTo = upTo;
      this.asked = asked;
      this.askedMs = askedMs;
      isOfAll = sought.get(0).askedUpTo == NOBODY;
      open = asked + 1; // so that no answer is the last before all are asked
    }
  }

  private static final class Sought {
    final Block block;
    final ErasureCode code;
    long wantedMs;

    /** The last coming of who has been asked. */
    long askedUpTo = NOBODY;

    /** Whether all have answered that lived when they were asked. */
    boolean wasLookedFor;

    /** When all were asked. */
    long askedMs;

    Sought(Block block, ErasureCode code, long nowMs) {
      this.block = block;
      this.code = code;
      wantedMs = nowMs;
    }

    /** Whether what is known of it is out of date. */
    boolean isOldAt(long nowMs) {
      return askedUpTo != NOBODY && nowMs - askedMs >= AGAIN_AFTER_MS;
    }

    boolean isAskedTogetherWith(Sought other) {
      return code.equals(other.code) && askedUpTo == other.askedUpTo;
    }
  }

  ReplicaSearch(StripeCommands commands, WithheldReplicas withheld) {
    this.commands = commands;
    this.withheld = withheld;
  }

  /** Looks for replicas of deleted blocks, soon. */
  synchronized void want(ErasureCode code, List<StripeRecord.Member> members, long nowMs) {
    for (StripeRecord.Member member : members) {
      Sought known = all.get(member.blockId());
      if (known == null && all.size() == BLOCKS_MAX) {
        isShortOfRoom = true;
      } else if (known == null) {
        Block block = new Block(member.blockId(), member.lengthBytes(), member.generationStamp());
        all.put(member.blockId(), new Sought(block, code, nowMs));
      } else {
        known.wantedMs = nowMs;
        if (known.isOldAt(nowMs)) {
          all.remove(member.blockId()); // behind those that nobody has been asked for
          if (!isShortOfRoom) {
            known.askedUpTo = NOBODY;
            all.put(member.blockId(), known);
          }
        }
      }
    }
  }

  /** Whether it has yet to be looked for replicas of a deleted block of which none is known. */
  synchronized boolean mayTurnUp(long blockId) {
    Sought sought = all.get(blockId);
    return sought == null
        || !sought.wasLookedFor
        || sought.askedUpTo != NOBODY && sought.askedUpTo < comings;
  }

  /** Asks for the next few unless answers are still to come. */
  void look(ClusterView nodes, long nowMs) {
    List<DatanodeDescriptor> asked;
    Round round;
    synchronized (this) {
      if (current != null) {
        return;
      }
      forgetOld(nowMs);
      isShortOfRoom &= all.size() == BLOCKS_MAX;
      takeNoteOfComings(nodes);
      List<Sought> next = next();
      if (next.isEmpty()) {
        return;
      }
      asked = yetToAsk(nodes, next.get(0).askedUpTo);
      round = new Round(next, comings, asked.size(), nowMs);
      if (asked.isEmpty() && round.isOfAll) {
        return; // nobody is no answer
      }
      current = round;
    }
    List<Sought> sought = round.sought;
    SearchTask task =
        new SearchTask(
            sought.get(0).code, sought.stream().map(one -> commands.toFind(one.block)).toList());
    for (DatanodeDescriptor node : asked) {
      String uuid = node.getDatanodeUuid();
      try {
        commands.give(node, task, 0, nowMs).thenAccept(report -> answered(uuid, report, round));
      } catch (IllegalStateException e) { // it has enough to do: another time
        incomplete(round);
        over(round, 0);
      }
    }
    over(round, 0);
  }

  private void takeNoteOfComings(ClusterView nodes) {
    if (all.isEmpty()) {
      came.clear();
      return;
    }
    Set<String> living = new HashSet<>();
    for (DatanodeDescriptor node : nodes.datanodes()) {
      if (node.isAlive()) {
        living.add(node.getDatanodeUuid());
      }
    }
    came.keySet().retainAll(living);
    for (String uuid : living) {
      came.computeIfAbsent(uuid, ignored -> ++comings);
    }
  }

  private List<DatanodeDescriptor> yetToAsk(ClusterView nodes, long askedUpTo) {
    return Arrays.stream(nodes.datanodes())
        .filter(node -> came.getOrDefault(node.getDatanodeUuid(), NOBODY) > askedUpTo)
        .filter(node -> !mute.containsKey(node.getDatanodeUuid()))
        .toList();
  }

  /** The first that nobody has been asked for, else that somebody has yet to be asked for. */
  private List<Sought> next() {
    List<Sought> next = first(sought -> sought.askedUpTo == NOBODY);
    return next.isEmpty() ? first(sought -> sought.askedUpTo < comings) : next;
  }

  private List<Sought> first(Predicate<Sought> which) {
    List<Sought> first = new ArrayList<>();
    for (Sought sought : all.values()) {
      if (first.size() < SearchTask.BLOCKS_MAX
          && which.test(sought)
          && (first.isEmpty() || sought.isAskedTogetherWith(first.get(0)))) {
        first.add(sought);
      }
    }
    return first;
  }

  private void forgetOld(long nowMs) {
    mute.values().removeIf(sinceMs -> nowMs - sinceMs >= MUTE_MS);
    all.values().removeIf(sought -> nowMs - sought.wantedMs >= MUTE_MS);
  }

  private void answered(String uuid, WorkReport report, Round round) {
    int found = 0;
    try {
      for (Block block : stored(uuid, report, round)) {
        withheld.found(uuid, block);
        found++;
      }
    } finally {
      over(round, found); // or nobody would ever be asked again
    }
  }

  /** What a DataNode has of what it was asked for. */
  private synchronized List<Block> stored(String uuid, WorkReport report, Round round) {
    List<Sought> sought = round.sought;
    if (round != current) {
      return List.of();
    }
    if (report.state() != WorkReport.State.DONE || report.readBytes().size() != sought.size()) {
      mute.put(uuid, round.askedMs);
      return List.of();
    }
    return IntStream.range(0, sought.size())
        .filter(i -> report.readBytes().get(i) == sought.get(i).block.getNumBytes())
        .mapToObj(i -> sought.get(i).block)
        .toList();
  }

  private synchronized void incomplete(Round round) {
    round.isComplete = false;
  }

  /** One answer fewer is to come; what was not found by the last is not there now. */
  private synchronized void over(Round round, int found) {
    round.found += found;
    if (round != current || --round.open > 0) {
      return;
    }
    for (Sought one : round.sought) {
      one.askedUpTo = round.upTo;
      if (round.isOfAll) {
        one.wasLookedFor |= round.isComplete;
        one.askedMs = round.askedMs;
      } else {
        one.wasLookedFor &= round.isComplete;
      }
    }
    current = null;
    if (round.found > 0 || round.asked > 0 && NOTHING_FOUND_LOG.shouldLog()) {
      LOG.info(
          "{} DataNodes were asked for {} deleted blocks needed to decode damaged stripes, the"
              + " first of them {}: {} replicas found",
          round.asked,
          round.sought.size(),
          round.sought.get(0).block,
          round.found);
    }
  }

  /** Forgets everything: another NameNode has the stripes now. */
  synchronized void clear() {
    all.clear();
    came.clear();
    mute.clear();
    current = null;
  }
}
