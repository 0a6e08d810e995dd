package org.rackweave.sim.encoding;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import org.rackweave.model.ClusterTopology;

/**
 * A map task that encodes stripes one after another.
 *
 * @param node it runs on; {@link ClusterTopology#NONE} for a node of each stripe's core rack
 * @param stripes it takes from; tasks of the same racks share them
 */
public record EncodingTask(int node, Queue<ReplicatedStripe> stripes) {

  /**
   * As HDFS-RAID deals stripes out (section IV): the same number to each task, each task on a
   * random node, on one that has none yet while there is any.
   */
  public static List<EncodingTask> onRandomNodes(
      List<ReplicatedStripe> stripes, int tasks, int nodes, SplittableRandom random) {
    List<EncodingTask> dealt = new ArrayList<>();
    List<Integer> idle = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      if (idle.isEmpty()) {
        for (int node = 0; node < nodes; node++) {
          idle.add(node);
        }
      }
      dealt.add(new EncodingTask(idle.remove(random.nextInt(idle.size())), new ArrayDeque<>()));
    }
    for (int i = 0; i < stripes.size(); i++) {
      dealt.get(i % tasks).stripes().add(stripes.get(i));
    }
    return dealt;
  }

  /** As EAR has it (section IV): stripes of one core rack in one task, which runs there. */
  public static List<EncodingTask> inCoreRacks(
      List<ReplicatedStripe> stripes, int tasks, int racks) {
    List<Queue<ReplicatedStripe>> queues = new ArrayList<>();
    for (int i = 0; i < Math.min(tasks, racks); i++) {
      queues.add(new ArrayDeque<>());
    }
    for (ReplicatedStripe stripe : stripes) {
      queues.get(stripe.where().coreRack() % queues.size()).add(stripe);
    }
    List<EncodingTask> all = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      all.add(new EncodingTask(ClusterTopology.NONE, queues.get(task % queues.size())));
    }
    return all;
  }
}
