package org.rackweave.hdfs.work;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;

class DecodeTaskTest {
  private static StripeUnit unit(int number, String node) {
    DatanodeInfo on =
        new DatanodeInfoBuilder()
            .setNodeID(new DatanodeID("10.0.0.1", node, "uuid of " + node, 1, 2, 3, 4))
            .build();
    return new StripeUnit(
        number,
        new LocatedBlock(
            new ExtendedBlock("pool", number, 100, 1),
            new DatanodeInfo[] {on},
            new String[] {"storage"},
            new StorageType[] {StorageType.DISK}));
  }

  /** Makes block 0 of rs-3-2 of others. */
  private static DecodeTask task(StripeUnit... sources) {
    return new DecodeTask(
        new ErasureCode(3, 2), 3, Arrays.asList(sources), List.of(unit(0, "n0")), 0);
  }

  /** With two blocks to spare another recipe may leave out more than the one suspected. */
  @Test
  void readsAllOfAnotherButOneOnlyWithTheSameReplicas() {
    StripeUnit suspect = unit(1, "n1");
    DecodeTask disproved = task(suspect, unit(2, "n2"), unit(3, "n3"));
    assertTrue(task(unit(2, "n2"), unit(3, "n3"), unit(4, "n4")).readsAllOf(disproved, suspect));
    assertFalse(task(unit(2, "n2"), unit(3, "n9"), unit(4, "n4")).readsAllOf(disproved, suspect));
    StripeUnit other = disproved.sources().get(1);
    assertFalse(task(unit(2, "n2"), unit(3, "n3"), unit(4, "n4")).readsAllOf(disproved, other));
  }
}
