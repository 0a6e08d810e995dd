package org.rackweave.sim.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What differs when a trace is played once more: the day of a cluster from its hour.
 *
 * <p>Racks are renamed by a permutation, so that over many playings every rack is as likely to be
 * hot, as the paper finds (Sinbad, section 4.3), while each hour keeps its imbalance.
 */
public enum Reshuffle {
  /** The same again. */
  NOTHING,
  /** The coflows change places in time; the moments of arrival stay. */
  ARRIVALS,
  /** The racks change names. */
  RACKS,
  /** Both. */
  BOTH;

  /** The trace after one re-shuffling. */
  CoflowTrace apply(CoflowTrace trace, SplittableRandom random) {
    List<Coflow> coflows = trace.coflows();
    int[] order = identity(coflows.size());
    int[] rackNames = identity(trace.racks());
    if (this == ARRIVALS || this == BOTH) {
      shuffle(order, random);
    }
    if (this == RACKS || this == BOTH) {
      shuffle(rackNames, random);
    }
    List<Coflow> moved = new ArrayList<>(coflows.size());
    for (int slot = 0; slot < order.length; slot++) {
      Coflow coflow = coflows.get(order[slot]);
      List<Integer> mappers = coflow.mapperRacks().stream().map(rack -> rackNames[rack]).toList();
      List<Coflow.Reducer> reducers =
          coflow.reducers().stream()
              .map(reducer -> new Coflow.Reducer(rackNames[reducer.rack()], reducer.sizeBytes()))
              .toList();
      moved.add(new Coflow(coflow.id(), coflows.get(slot).arrivalMs(), mappers, reducers));
    }
    return new CoflowTrace(trace.racks(), moved);
  }

  private static int[] identity(int length) {
    int[] numbers = new int[length];
    for (int i = 0; i < length; i++) {
      numbers[i] = i;
    }
    return numbers;
  }

  private static void shuffle(int[] numbers, SplittableRandom random) {
    for (int i = numbers.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int number = numbers[i];
      numbers[i] = numbers[other];
      numbers[other] = number;
    }
  }
}
