package org.rackweave.dayu;

/**
 * Blocks that no link of theirs can carry within a slot: with slots of 3 s and 30 MB/s left that is
 * every block over 90 MB. The paper skips a task that would saturate its nodes, and would skip
 * these for ever. Here a link that has nothing else to do takes one; it moves what it can in the
 * slot and is under way in the next ones.
 *
 * <p>O(nodes) a task.
 */
final class OversizeTasks {
  private final SlotLoads loads;
  private final DestinationRules rules;

  /** By storage type, the most that any node with room carries; of all where none has room. */
  private final double[] widestIn;

  /** What a node and its rack's link carry in a slot, whole bytes. */
  private final double[] outBytes;

  private final double[] inBytes;

  /** What every link carries: blocks up to this need no second look. */
  private final double narrowest;

  OversizeTasks(SlotLoads loads, DestinationRules rules) {
    this.loads = loads;
    this.rules = rules;
    int nodes = loads.rackOf.length;
    outBytes = new double[nodes];
    inBytes = new double[nodes];
    widestIn = new double[loads.snapshot.storageTypes()];
    double widest = 0;
    double narrow = Double.POSITIVE_INFINITY;
    for (int node = 0; node < nodes; node++) {
      int rack = loads.rackOf[node];
      double outSec = Math.max(loads.outSecPerByte[node], loads.rackOutSecPerByte[rack]);
      double inSec = Math.max(loads.inSecPerByte[node], loads.rackInSecPerByte[rack]);
      outBytes[node] = Math.floor(loads.slotSec / outSec * (1 + 1e-9));
      inBytes[node] = Math.floor(loads.slotSec / inSec * (1 + 1e-9));
      widest = loads.snapshot.acceptsReplicas(node) ? Math.max(widest, inBytes[node]) : widest;
      narrow = Math.min(narrow, outBytes[node]);
      for (int type = 0; type < widestIn.length; type++) {
        boolean hasRoom =
            loads.snapshot.acceptsReplicas(node) && loads.snapshot.freeBytes(type, node) > 0;
        widestIn[type] = hasRoom ? Math.max(widestIn[type], inBytes[node]) : widestIn[type];
      }
    }
    for (int type = 0; type < widestIn.length; type++) {
      widestIn[type] = widestIn[type] == 0 ? widest : widestIn[type];
      narrow = Math.min(narrow, widestIn[type]);
    }
    narrowest = narrow;
  }

  /**
   * Whether a task is larger than its widest source or the widest destination of its storage type
   * carries; so is one without a source.
   */
  boolean includes(int task) {
    RecoveryBatch batch = loads.batch;
    double size = loads.bytes[task];
    int from = batch.firstNode(task);
    int end = batch.standingFrom(task);
    int type = batch.storageType(task);
    double widest = type < widestIn.length ? widestIn[type] : 0;
    if (size <= narrowest && end > from) {
      return false;
    }
    for (int at = from; at < end && size <= widest; at++) {
      if (size <= outBytes[batch.nodeAt(at)]) {
        return false;
      }
    }
    return true;
  }

  /** Gives a task to idle links; returns whether there were any. */
  boolean place(int task) {
    int source = widestSource(task);
    int destination = source == SlotLoads.NONE ? source : widestDestination(task, source);
    if (destination == SlotLoads.NONE) {
      return false;
    }
    double carried = Math.min(outBytes[source], inBytes[destination]);
    double bytes = Math.min(loads.bytes[task], carried);
    if (bytes < 1 || !loads.fitsBudget(bytes)) {
      return false;
    }
    loads.bytes[task] = bytes;
    loads.assign(task, source, destination, Verdict.PLANNED);
    return true;
  }

  private int widestSource(int task) {
    int best = SlotLoads.NONE;
    double widest = 0;
    for (int at = loads.batch.firstNode(task); at < loads.batch.standingFrom(task); at++) {
      int node = loads.batch.nodeAt(at);
      if (outBytes[node] > widest
          && takes(loads.out[node], loads.outSecPerByte[node], task)
          && takesRackOut(node, task)) {
        widest = outBytes[node];
        best = node;
      }
    }
    return best;
  }

  private int widestDestination(int task, int source) {
    int best = SlotLoads.NONE;
    double widest = 0;
    for (int node = 0; node < loads.rackOf.length; node++) {
      if (inBytes[node] > widest
          && takes(loads.in[node], loads.inSecPerByte[node], task)
          && takesRackIn(source, node, task)
          && rules.admits(task, node)) {
        widest = inBytes[node];
        best = node;
      }
    }
    return best;
  }

  private boolean takesRackOut(int node, int task) {
    int rack = loads.rackOf[node];
    return takes(loads.rackOut[rack], loads.rackOutSecPerByte[rack], task);
  }

  private boolean takesRackIn(int source, int node, int task) {
    int rack = loads.rackOf[node];
    return loads.rackOf[source] == rack
        || takes(loads.rackIn[rack], loads.rackInSecPerByte[rack], task);
  }

  private boolean takes(double load, double secPerByte, int task) {
    return load == 0 || loads.fitsSlot((load + loads.bytes[task]) * secPerByte);
  }
}
