package org.rackweave.dayu;

import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The links that the transfers of a plan use, numbered through: nodes out, nodes in, racks out,
 * racks in. Links without a limit and copies that stay in a rack leave places empty.
 *
 * <p>A copy under way that does not reach its rate is held up by something that the snapshot does
 * not tell, a disk or others on a crowded link. What it cannot use would be lost to those beside
 * it, so it has a link of its own besides, with little more than it makes use of.
 */
final class TransferLinks {
  /** Links of one task at most. */
  static final int MOST = 5;

  private static final int NONE = -1;

  /** What one that stands still keeps of its rate, to show when it can go on. */
  private static final double LEAST = 0.1;

  /** So many times its speed it may go at next, for what held it up may be over. */
  static final double GROWTH = 1.5;

  /** So much more than one of the next priority gets a copy of a link. */
  private static final double URGENCY = 8;

  /** HDFS has no more priorities below the highest. */
  private static final int CLASSES_MAX = 4;

  private final SlotLoads loads;
  private final BitSet waiting;
  private final double[] standsFor;
  private final boolean areTurnsTaken;

  /** Whether weights are those of slots that overlap. */
  private final boolean overlap;

  private final int nodes;
  private final int racks;

  /** Tasks that have a link of their own, and the number of each one's among these. */
  private final int[] heldUp;

  private final int[] ownLink;

  /** Rates that take of the links, {@code null} for none. */
  private final double[] given;

  /** Of slots that do not overlap. */
  TransferLinks(SlotLoads loads) {
    this(loads, false, SourceStreams.Turns.none(loads.rackOf.length));
  }

  /**
   * @param overlap whether the next plan is made before the slot is over
   * @param turns which tasks do not move anything yet, and what the others stand for
   */
  TransferLinks(SlotLoads loads, boolean overlap, SourceStreams.Turns turns) {
    this.loads = loads;
    waiting = turns.waiting();
    standsFor = turns.standsFor();
    areTurnsTaken = turns.areTaken();
    this.overlap = overlap;
    given = null;
    nodes = loads.rackOf.length;
    racks = loads.rackOut.length;
    heldUp = IntStream.range(0, tasks()).filter(loads::isHeldUp).toArray();
    ownLink = heldUp.length == 0 ? null : new int[tasks()];
    for (int i = 0; i < heldUp.length; i++) {
      ownLink[heldUp[i]] = i + 1;
    }
  }

  private TransferLinks(TransferLinks first, double[] rates) {
    loads = first.loads;
    standsFor = first.standsFor;
    areTurnsTaken = first.areTurnsTaken;
    waiting = new BitSet(rates.length);
    waiting.set(0, rates.length);
    for (int task : first.heldUp) {
      waiting.set(task, first.waiting.get(task));
    }
    overlap = true;
    nodes = first.nodes;
    racks = first.racks;
    heldUp = new int[0];
    ownLink = null;
    given = rates;
  }

  /**
   * What rates leave of links, for copies that are held up: nobody else can use it, and what holds
   * them up may be over.
   */
  TransferLinks leftover(double[] rates) {
    return new TransferLinks(this, rates);
  }

  boolean hasHeldUp() {
    return heldUp.length > 0;
  }

  /** Number of tasks of the batch, whether they transfer or not. */
  int tasks() {
    return loads.batch.count();
  }

  private boolean transfers(int task) {
    return loads.verdict(task).transfers();
  }

  private boolean moves(int task) {
    return transfers(task) && !waiting.get(task);
  }

  /** What a task moves, 0 when it moves nothing yet. */
  double bytes(int task) {
    return moves(task) ? loads.bytes[task] : 0;
  }

  /**
   * By what a task shares links with others: what it moves, as in the paper. Where slots overlap
   * and sources make some copies at a time, others begin beside a copy before it ends. By what is
   * left of it, it would get less and less, and keep its place at its source from them; so it goes
   * by all of its block, to its end. And it goes by what follows it at its source within the slot,
   * which will have what it has. Of two that meet on a link the more urgent one gets most; the
   * other keeps a little, for its receiver does not wait for ever.
   */
  double weight(int task) {
    if (!moves(task)) {
      return 0;
    }
    boolean keepsAPlace = overlap && areTurnsTaken && loads.batch.isRunning(task);
    double bytes = keepsAPlace ? loads.batch.sizeBytes(task) : loads.bytes[task];
    return bytes * standsFor[loads.source[task]] * urgency(task);
  }

  private double urgency(int task) {
    int classes = loads.batch.lowestPriority() - loads.batch.priority(task);
    return overlap ? Math.pow(URGENCY, Math.min(CLASSES_MAX, classes)) : 1;
  }

  /**
   * @param i 0 to {@link #MOST} - 1
   * @return a link of the task, or a negative number
   */
  int link(int task, int i) {
    if (!transfers(task)) {
      return NONE;
    }
    int from = loads.source[task];
    int to = loads.destination[task];
    return switch (i) {
      case 0 -> from;
      case 1 -> nodes + to;
      case 2 -> rackLink(2 * nodes, from, to, loads.rackOf[from], loads.rackOutSecPerByte);
      case 3 -> rackLink(2 * nodes + racks, from, to, loads.rackOf[to], loads.rackInSecPerByte);
      default -> ownLink == null || ownLink[task] == 0 ? NONE : firstOwn() + ownLink[task] - 1;
    };
  }

  private int rackLink(int first, int from, int to, int rack, double[] secPerByte) {
    return loads.crosses(from, to) && secPerByte[rack] > 0 ? first + rack : NONE;
  }

  private int firstOwn() {
    return 2 * (nodes + racks);
  }

  private double[] ofEachLink() {
    return new double[firstOwn() + heldUp.length];
  }

  /** Of each link, bytes per second; links of racks without a limit are not in use. */
  double[] bandwidths() {
    double[] all = ofEachLink();
    for (int node = 0; node < nodes; node++) {
      all[node] = loads.snapshot.outBytesPerSec(node);
      all[nodes + node] = loads.snapshot.inBytesPerSec(node);
    }
    for (int rack = 0; rack < racks; rack++) {
      all[2 * nodes + rack] = loads.snapshot.rackOutBytesPerSec(rack);
      all[2 * nodes + racks + rack] = loads.snapshot.rackInBytesPerSec(rack);
    }
    for (int i = 0; i < heldUp.length; i++) {
      double least = loads.batch.rateBytesPerSec(heldUp[i]) * LEAST;
      all[firstOwn() + i] = Math.max(least, GROWTH * loads.batch.speedBytesPerSec(heldUp[i]));
    }
    for (int task = 0; given != null && task < given.length; task++) {
      for (int i = 0; i < MOST; i++) {
        int link = link(task, i);
        if (link >= 0) {
          all[link] = Math.max(0, all[link] - given[task]);
        }
      }
    }
    return all;
  }

  /** Of each link, the weights of tasks that use it. */
  double[] weights() {
    if (!overlap) {
      return loads();
    }
    double[] all = ofEachLink();
    for (int task = 0; task < tasks(); task++) {
      double weight = weight(task);
      for (int i = 0; i < MOST && weight > 0; i++) {
        int link = link(task, i);
        if (link >= 0) {
          all[link] += weight;
        }
      }
    }
    return all;
  }

  /** Of each link, bytes that tasks move over it. */
  double[] loads() {
    double[] all = ofEachLink();
    System.arraycopy(loads.out, 0, all, 0, nodes);
    System.arraycopy(loads.in, 0, all, nodes, nodes);
    for (int rack = 0; rack < racks; rack++) {
      all[2 * nodes + rack] = loads.rackOutSecPerByte[rack] > 0 ? loads.rackOut[rack] : 0;
      all[2 * nodes + racks + rack] = loads.rackInSecPerByte[rack] > 0 ? loads.rackIn[rack] : 0;
    }
    for (int i = 0; i < heldUp.length; i++) {
      all[firstOwn() + i] = bytes(heldUp[i]);
    }
    return all;
  }
}
