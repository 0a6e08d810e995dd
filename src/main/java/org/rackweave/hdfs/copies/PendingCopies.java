package org.rackweave.hdfs.copies;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/**
 * The copies that one NameNode expects because it was told to have them made. Whatever takes the
 * namesystem's lock holds it for {@link #batchSize} copies at a time.
 */
public interface PendingCopies {
  /** A replica that is copied. */
  interface Copy {
    long blockId();

    DatanodeDescriptor source();

    DatanodeDescriptor target();
  }

  /** Blocks that stock works on under one hold of the lock, or fewer. */
  int batchSize();

  /**
   * How copies stand, one for each, in order; under the read lock where there are any that HDFS
   * does not expect any more.
   */
  List<CopyState> states(List<? extends Copy> copies);

  /**
   * Has HDFS expect copies no longer whose source or target is dead, so that it makes what is
   * missing without waiting for them; under the write lock.
   *
   * @param term the change of state that made this NameNode active; nothing happens in another
   */
  void release(List<? extends Copy> broken, long term);

  /**
   * Looks how copies stand.
   *
   * @param copyOf what is copied
   * @return those in each state, in order, maybe none
   */
  default <C> Map<CopyState, List<C>> byState(List<C> all, Function<C, Copy> copyOf) {
    Map<CopyState, List<C>> byState = new EnumMap<>(CopyState.class);
    for (CopyState state : CopyState.values()) {
      byState.put(state, new ArrayList<>());
    }
    List<CopyState> states = states(all.stream().map(copyOf).toList());
    for (int i = 0; i < all.size(); i++) {
      byState.get(states.get(i)).add(all.get(i));
    }
    return byState;
  }
}
