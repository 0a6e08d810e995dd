package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.function.LongConsumer;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;
import org.rackweave.hdfs.work.DecodeTask;
import org.rackweave.hdfs.work.MoveTask;
import org.rackweave.hdfs.work.StripeUnit;
import org.rackweave.hdfs.work.Task;

class DecodePaceTest {
  private static final long MB = 1_000_000;
  private static final ErasureCode CODE = ErasureCode.named("rs-3-2");

  private final VirtualClock clock = new VirtualClock();
  private final DecodePace pace = new DecodePace(10 * MB, clock);

  private static StripeUnit unit(int number) {
    DatanodeInfo node = new DatanodeInfo.DatanodeInfoBuilder().setDatanodeUuid("u").build();
    ExtendedBlock block = new ExtendedBlock("BP-1", 100 + number, 8 * MB, 1001);
    return new StripeUnit(number, new LocatedBlock(block, new DatanodeInfo[] {node}));
  }

  /** Of three blocks one. */
  private static Task decoding() {
    return new DecodeTask(CODE, 3, List.of(unit(1), unit(2), unit(3)), List.of(unit(0)), 0);
  }

  @Test
  void everyByteThatIsMadeCostsOneOfEachBlockThatIsRead() {
    LongConsumer paced = pace.of(decoding());
    paced.accept(1 * MB);
    assertEquals(300, clock.ms());
    paced.accept(3 * MB);
    assertEquals(900, clock.ms(), "2 MB more of three blocks");
  }

  @Test
  void aReplicaThatIsReadCostsWhatItHas() {
    LongConsumer paced = pace.of(new MoveTask(CODE, unit(0).block(), unit(0).block(), 0));
    paced.accept(2 * MB);
    assertEquals(200, clock.ms());
  }

  @Test
  void allClientsShareOneRate() {
    LongConsumer one = pace.of(decoding());
    LongConsumer other = pace.of(decoding());
    for (int part = 1; part <= 4; part++) {
      one.accept(part * MB);
      other.accept(part * MB);
    }
    assertEquals(2400, clock.ms(), "8 MB of three blocks");
  }

  @Test
  void withoutALimitNobodyWaits() {
    new DecodePace(0, clock).of(decoding()).accept(8 * MB);
    assertEquals(0, clock.ms());
  }
}
