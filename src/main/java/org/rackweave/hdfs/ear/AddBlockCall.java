package org.rackweave.hdfs.ear;

import java.util.List;
import java.util.function.IntFunction;
import org.apache.hadoop.util.Time;
import org.rackweave.ear.OpenStripes;
import org.rackweave.ear.Seat;
import org.rackweave.history.PlacementRecord;
import org.rackweave.trial.Arm;
import org.rackweave.trial.ArmSamples;
import org.rackweave.trial.WriteTrials.Write;

/**
 * One {@code addBlock} that is being answered by this thread. HDFS tells a placement policy neither
 * the block's id nor its index; the policy leaves the seat it took here, and the id is learned from
 * the answer. Single-threaded.
 */
public final class AddBlockCall {
  private static final ThreadLocal<AddBlockCall> CURRENT = new ThreadLocal<>();

  private final StripeRegistry registry;
  private OpenStripes stripes;
  private Seat seat;
  private int[] nodes;
  private IntFunction<String> uuidOf;

  private long fileId;
  private Write write;

  private AddBlockCall(StripeRegistry registry) {
    this.registry = registry;
  }

  /** Begins the call this thread answers from now on, until {@link #end}. */
  public static AddBlockCall begin(StripeRegistry registry) {
    AddBlockCall call = new AddBlockCall(registry);
    CURRENT.set(call);
    return call;
  }

  /** Says which file the block is for, by its inode. */
  public AddBlockCall forFile(long id) {
    fileId = id;
    return this;
  }

  /** Inode of the block's file, 0 where it is not known. */
  public long fileId() {
    return fileId;
  }

  /** Has the block's write timed for a comparison. */
  public void compare(ArmSamples samples, Arm arm, long wholeBytes) {
    write = new Write(samples, arm, fileId, wholeBytes, null);
  }

  /** Has it timed to be told beside what was expected, too. */
  public void expected(PlacementRecord record, long wholeBytes) {
    write =
        write == null
            ? new Write(null, null, fileId, wholeBytes, record)
            : new Write(write.samples(), write.arm(), fileId, wholeBytes, record);
  }

  /** What the block is timed for, {@code null} for nothing. */
  public Write write() {
    return write;
  }

  /** The call that this thread answers, {@code null} when it does something else. */
  public static AddBlockCall current() {
    return CURRENT.get();
  }

  /**
   * Leaves the seat of the block. HDFS may ask for targets twice in one call; the former seat is
   * given back.
   *
   * @param ofStripes where the seat is
   * @param taken the seat, {@code null} when the block is in no stripe
   * @param chosen numbers of the DataNodes chosen
   * @param theirUuids UUID of each, looked up when the answer is known
   */
  public void seat(
      OpenStripes ofStripes, Seat taken, int[] chosen, IntFunction<String> theirUuids) {
    giveBack();
    stripes = ofStripes;
    seat = taken;
    nodes = chosen;
    uuidOf = theirUuids;
  }

  /**
   * Says which block the call was answered with. A repeated call is answered with the block of the
   * first one, whose replicas are elsewhere: then the seat is given back.
   *
   * @param onDataNodes UUIDs, each once, in any order
   */
  public void answered(long blockId, List<String> onDataNodes) {
    if (seat != null && areChosen(onDataNodes)) {
      registry.bind(stripes, seat, blockId, Time.monotonicNow());
      seat = null;
    }
    giveBack();
  }

  private boolean areChosen(List<String> uuids) {
    if (uuids.size() != nodes.length) {
      return false;
    }
    for (int node : nodes) {
      if (!uuids.contains(uuidOf.apply(node))) {
        return false;
      }
    }
    return true;
  }

  private void giveBack() {
    if (seat != null) {
      registry.release(stripes, seat, Time.monotonicNow());
      seat = null;
    }
  }

  /** Ends the call; a seat that no block took is given back. */
  public void end() {
    CURRENT.set(null); // to remove it would have the next call make a new entry
    giveBack();
  }
}
