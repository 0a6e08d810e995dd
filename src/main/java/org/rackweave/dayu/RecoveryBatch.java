package org.rackweave.dayu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.rackweave.model.Require;

/**
 * Blocks that wait for a copy and copies under way, immutable: a struct of arrays, numbered from 0
 * in the order they were added, which is the order in which the planner looks at equals.
 *
 * <p>A task has nodes of three kinds. <em>Sources</em> hold a replica that can be read.
 * <em>Standing</em> ones hold or will soon hold a replica that is not to be read now.
 * <em>Barred</em> ones must not get the block for another reason, such as a corrupt replica. The
 * first two count for the spread over racks.
 *
 * <p>About 60 bytes a task with two sources.
 */
public final class RecoveryBatch {
  /** No node. */
  public static final int NONE = -1;

  /** A copy slower than so much of its rate is held up by something else. */
  private static final double HELD_UP_BELOW = 0.8;

  private final int nodeCount;
  private final int count;
  private final long[] sizeBytes;
  private final byte[] priority;
  private final byte[] storageType;
  private final SpreadRule[] rules;
  private final byte[] rule;

  /** Nodes of task {@code t} are at {@code start[t]} to {@code start[t + 1]}, sources first. */
  private final int[] start;

  private final int[] standingFrom;
  private final int[] barredFrom;
  private final int[] nodes;
  private final int[] runningFrom;
  private final int[] runningTo;
  private final long[] doneBytes;
  private final double[] runningSec;

  /** Speed of late, negative where it is not known. */
  private final double[] runningSpeed;

  /** Rate it is to go at, 0 where that is not known. */
  private final double[] runningRate;

  private final boolean[] runningOverdue;
  private final boolean[] runningBound;
  private final boolean uniform;
  private final long largestBytes;
  private final int lowestPriority;

  private RecoveryBatch(Builder builder) {
    nodeCount = builder.nodeCount;
    count = builder.count;
    sizeBytes = Arrays.copyOf(builder.sizeBytes, count);
    priority = Arrays.copyOf(builder.priority, count);
    storageType = Arrays.copyOf(builder.storageType, count);
    rules = builder.rules.toArray(SpreadRule[]::new);
    rule = Arrays.copyOf(builder.rule, count);
    start = Arrays.copyOf(builder.start, count + 1);
    standingFrom = Arrays.copyOf(builder.standingFrom, count);
    barredFrom = Arrays.copyOf(builder.barredFrom, count);
    nodes = Arrays.copyOf(builder.nodes, start[count]);
    boolean none = builder.runningTasks == 0;
    runningFrom = none ? null : Arrays.copyOf(builder.runningFrom, count);
    runningTo = none ? null : Arrays.copyOf(builder.runningTo, count);
    doneBytes = none ? null : Arrays.copyOf(builder.doneBytes, count);
    runningSec = none ? null : Arrays.copyOf(builder.runningSec, count);
    runningSpeed = none ? null : Arrays.copyOf(builder.runningSpeed, count);
    runningRate = none ? null : Arrays.copyOf(builder.runningRate, count);
    runningOverdue = none ? null : Arrays.copyOf(builder.runningOverdue, count);
    runningBound = none ? null : Arrays.copyOf(builder.runningBound, count);
    uniform = areAlike();
    int lowest = -1;
    for (byte of : priority) {
      lowest = Math.max(lowest, of);
    }
    lowestPriority = lowest;
    largestBytes = Arrays.stream(sizeBytes).max().orElse(0);
  }

  private boolean areAlike() {
    for (int task = 1; task < count; task++) {
      if (sizeBytes[task] != sizeBytes[0] || storageType[task] != storageType[0]) {
        return false;
      }
    }
    return true;
  }

  /** Number of tasks. */
  public int count() {
    return count;
  }

  /** Nodes of the cluster it speaks of. */
  public int nodeCount() {
    return nodeCount;
  }

  /** Whether all tasks have one size and need one type of storage. */
  boolean isUniform() {
    return uniform;
  }

  /** The least urgent there is, -1 when there is no task. */
  int lowestPriority() {
    return lowestPriority;
  }

  /** Size of the largest block. */
  long largestBytes() {
    return largestBytes;
  }

  /** At least 1: an empty block costs a connection too. */
  public long sizeBytes(int task) {
    return sizeBytes[task];
  }

  /** 0 for the most urgent. */
  public int priority(int task) {
    return priority[task];
  }

  public int storageType(int task) {
    return storageType[task];
  }

  public SpreadRule spread(int task) {
    return rules[rule[task]];
  }

  /** Where the nodes of a task begin; {@code firstNode(count())} is the number of all. */
  int firstNode(int task) {
    return start[task];
  }

  /** Where those of a task begin that hold a replica not to be read: behind its sources. */
  int standingFrom(int task) {
    return standingFrom[task];
  }

  /** Where those of a task begin that count for no spread: behind the standing ones. */
  int barredFrom(int task) {
    return barredFrom[task];
  }

  int nodeAt(int index) {
    return nodes[index];
  }

  /** Candidate sources of a task. */
  public int[] sources(int task) {
    return Arrays.copyOfRange(nodes, start[task], standingFrom[task]);
  }

  /** Every node of a task: sources, standing and barred ones. */
  public int[] nodes(int task) {
    return Arrays.copyOfRange(nodes, start[task], start[task + 1]);
  }

  /** Whether any copy is under way. */
  public boolean hasRunning() {
    return runningTo != null;
  }

  /** Whether a copy is under way. */
  public boolean isRunning(int task) {
    return runningTo != null && runningTo[task] != NONE;
  }

  /** Where a copy under way is read from. */
  public int runningFrom(int task) {
    return runningFrom[task];
  }

  /** Where a copy under way goes to. */
  public int runningTo(int task) {
    return runningTo[task];
  }

  /** How much of a copy under way is done. */
  public long doneBytes(int task) {
    return doneBytes[task];
  }

  /** For how long a copy has been under way. */
  public double runningSec(int task) {
    return runningSec[task];
  }

  /** Whether a copy under way should be done by now. */
  boolean isOverdue(int task) {
    return runningOverdue[task];
  }

  /** Whether a copy under way stays between its nodes in any case. */
  boolean isBound(int task) {
    return runningBound[task];
  }

  /** How fast a copy under way is, bytes per second: of late where that is known, else so far. */
  public double speedBytesPerSec(int task) {
    if (runningSpeed[task] >= 0) {
      return runningSpeed[task];
    }
    return runningSec[task] > 0 ? doneBytes[task] / runningSec[task] : 0;
  }

  /** How fast a copy under way is to go, bytes per second; 0 where that is not known. */
  double rateBytesPerSec(int task) {
    return runningRate[task];
  }

  /** Whether something other than its rate makes a copy under way slow, once it has begun. */
  boolean isHeldUp(int task) {
    return isRunning(task)
        && doneBytes[task] > 0
        && isHeldUp(speedBytesPerSec(task), rateBytesPerSec(task));
  }

  /** Whether something else must hold up what goes at a speed and may go at a rate. */
  public static boolean isHeldUp(double speedBytesPerSec, double rateBytesPerSec) {
    return speedBytesPerSec < HELD_UP_BELOW * rateBytesPerSec;
  }

  /**
   * Fills in a batch: {@link #task} begins one, what follows is said of it. All throw {@link
   * IllegalArgumentException} naming the thing, its value and its range.
   */
  public static final class Builder {
    private final int nodeCount;
    private int count;
    private int nodesUsed;
    private int runningTasks;
    private final List<SpreadRule> rules = new ArrayList<>(List.of(SpreadRule.PAPER));
    private long[] sizeBytes = new long[16];
    private byte[] priority = new byte[16];
    private byte[] storageType = new byte[16];
    private byte[] rule = new byte[16];
    private int[] start = new int[17];
    private int[] standingFrom = new int[16];
    private int[] barredFrom = new int[16];
    private int[] nodes = new int[48];
    private int[] runningFrom = {};
    private int[] runningTo = {};
    private long[] doneBytes = {};
    private double[] runningSec = {};
    private double[] runningSpeed = {};
    private double[] runningRate = {};
    private boolean[] runningOverdue = {};
    private boolean[] runningBound = {};

    /**
     * @param nodeCount of the cluster, so that a node that is none is told at once
     */
    public Builder(int nodeCount) {
      this.nodeCount = nodeCount;
    }

    /**
     * Begins a task.
     *
     * @param bytes size of the block, from 0
     * @param urgency 0 for blocks with fewest live replicas, as HDFS counts its queues, to 127
     */
    public Builder task(long bytes, int urgency) {
      Require.atLeast("sizeBytes of task " + count, bytes, 0);
      Require.within("priority of task " + count, urgency, 0, Byte.MAX_VALUE);
      if (count == sizeBytes.length) {
        grow();
      }
      sizeBytes[count] = Math.max(1, bytes);
      priority[count] = (byte) urgency;
      start[count] = nodesUsed;
      standingFrom[count] = nodesUsed;
      barredFrom[count] = nodesUsed;
      count++;
      start[count] = nodesUsed;
      return this;
    }

    /** Type of storage the new replica needs; 0 unless said. */
    public Builder storageType(int type) {
      Require.within("storageType of task " + (count - 1), type, 0, Byte.MAX_VALUE);
      storageType[count - 1] = (byte) type;
      return this;
    }

    /** How its replicas are to be spread; {@link SpreadRule#PAPER} unless said. */
    public Builder spread(SpreadRule spread) {
      int at = rules.indexOf(spread);
      if (at < 0) {
        at = rules.size();
        Require.within("number of spread rules", at, 0, Byte.MAX_VALUE);
        rules.add(spread);
      }
      rule[count - 1] = (byte) at;
      return this;
    }

    /** Nodes it can be read from; before {@link #standing} and {@link #barred}. */
    public Builder sources(int... holders) {
      append(holders);
      standingFrom[count - 1] = nodesUsed;
      barredFrom[count - 1] = nodesUsed;
      return this;
    }

    /** Nodes with a replica that is not to be read now; before {@link #barred}. */
    public Builder standing(int... holders) {
      append(holders);
      barredFrom[count - 1] = nodesUsed;
      return this;
    }

    /** Nodes that must not get it though no replica counts there. */
    public Builder barred(int... others) {
      append(others);
      return this;
    }

    /** Says that a copy is under way. */
    public Builder running(int from, int to, long bytesDone, double sec) {
      int task = count - 1;
      requireNode(from);
      requireNode(to);
      Require.within("doneBytes of task " + task, bytesDone, 0, sizeBytes[task]);
      Require.rate("runningSec of task " + task, sec);
      if (runningTo.length < sizeBytes.length) {
        growRunning();
      }
      runningFrom[task] = from;
      runningTo[task] = to;
      doneBytes[task] = bytesDone;
      runningSec[task] = sec;
      runningSpeed[task] = -1;
      runningRate[task] = 0;
      runningOverdue[task] = false;
      runningBound[task] = false;
      runningTasks++;
      return this;
    }

    /**
     * Says that the copy under way should be done by now, going by the bandwidth that the snapshot
     * still tells: what it does is then known better from its speed.
     */
    public Builder overdue() {
      runningOverdue[requireRunning()] = true;
      return this;
    }

    /**
     * Says that the copy under way cannot be cancelled or led elsewhere, whatever becomes of it.
     */
    public Builder bound() {
      runningBound[requireRunning()] = true;
      return this;
    }

    /**
     * Says how fast the copy under way has been since it got the rate it has. Rates change with
     * every slot; what it did at an earlier one says nothing of how it will end this slot.
     */
    public Builder speed(double bytesPerSec) {
      int task = requireRunning();
      runningSpeed[task] = Require.rate("speed of task " + task, bytesPerSec);
      return this;
    }

    /** Says at what rate the copy under way is to go. */
    public Builder rate(double bytesPerSec) {
      int task = requireRunning();
      runningRate[task] = Require.rate("rate of task " + task, bytesPerSec);
      return this;
    }

    public RecoveryBatch build() {
      if (runningTasks > 0 && runningTo.length < count) {
        growRunning();
      }
      return new RecoveryBatch(this);
    }

    private int requireRunning() {
      int task = count - 1;
      if (task < 0 || runningTo.length <= task || runningTo[task] == NONE) {
        throw new IllegalArgumentException("task " + task + " has no copy under way");
      }
      return task;
    }

    private void append(int[] more) {
      if (nodesUsed + more.length > nodes.length) {
        nodes = Arrays.copyOf(nodes, Math.max(nodes.length * 2, nodesUsed + more.length));
      }
      for (int node : more) {
        requireNode(node);
        nodes[nodesUsed++] = node;
      }
      start[count] = nodesUsed;
    }

    private void requireNode(int node) {
      Require.within("node of task " + (count - 1), node, 0, nodeCount - 1L);
    }

    private void grow() {
      int more = count * 2;
      sizeBytes = Arrays.copyOf(sizeBytes, more);
      priority = Arrays.copyOf(priority, more);
      storageType = Arrays.copyOf(storageType, more);
      rule = Arrays.copyOf(rule, more);
      start = Arrays.copyOf(start, more + 1);
      standingFrom = Arrays.copyOf(standingFrom, more);
      barredFrom = Arrays.copyOf(barredFrom, more);
    }

    private void growRunning() {
      int known = runningTo.length;
      int more = sizeBytes.length;
      runningFrom = Arrays.copyOf(runningFrom, more);
      runningTo = Arrays.copyOf(runningTo, more);
      Arrays.fill(runningFrom, known, more, NONE);
      Arrays.fill(runningTo, known, more, NONE);
      doneBytes = Arrays.copyOf(doneBytes, more);
      runningSec = Arrays.copyOf(runningSec, more);
      runningSpeed = Arrays.copyOf(runningSpeed, more);
      runningRate = Arrays.copyOf(runningRate, more);
      runningOverdue = Arrays.copyOf(runningOverdue, more);
      runningBound = Arrays.copyOf(runningBound, more);
    }
  }
}
