package org.rackweave.cli.testbed.compare.worker;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class BulkFlowTest {

  private static final long ENOUGH = 1 << 20;

  private static void await(BooleanSupplier reached) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!reached.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, "not in time");
      Thread.onSpinWait();
    }
  }

  @Test
  void bytesFlowTheWayTheyAreAskedToAndAreCountedWhereTheyArrive() throws Exception {
    LongAdder atSink = new LongAdder();
    LongAdder atHost = new LongAdder();
    try (BulkServer sink = new BulkServer(0, atSink)) {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), sink.port());
      try (BulkFlow up = new BulkFlow(address, true, atHost)) {
        await(() -> atSink.sum() > ENOUGH);
      }
      assertTrue(atHost.sum() == 0, "nothing came back");
      try (BulkFlow down = new BulkFlow(address, false, atHost)) {
        await(() -> atHost.sum() > ENOUGH);
      }
    }
  }

  @Test
  void startsBeforeThereIsASinkAndGoesOnWhenItIsCut() throws Exception {
    LongAdder first = new LongAdder();
    LongAdder second = new LongAdder();
    BulkServer sink = new BulkServer(0, first);
    int port = sink.port();
    sink.close();
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try (BulkFlow up = new BulkFlow(address, true, new LongAdder());
        BulkServer later = new BulkServer(port, second)) {
      await(() -> second.sum() > ENOUGH);
      assertTrue(first.sum() == 0 && later.port() == port);
    }
  }
}
