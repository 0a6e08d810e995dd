package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.NamespaceInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.StorageInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionResponseProto;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.RpcInvocationHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.PiggybackField;
import org.rackweave.hdfs.degraded.NameNodeQuery;

class NameNodeChannelsTest {
  private static final NameNodeQuery QUESTION = new NameNodeQuery.Announcement("uuid", 1);
  private static final long LONG_MS = 60_000;
  private static final long SHORT_MS = 50;

  private static final int CALLS_MAX = 3;

  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger hanging = new AtomicInteger();

  private interface Answer {
    VersionResponseProto get() throws Exception;
  }

  private static NameNodeChannel line(Answer answer) {
    return new NameNodeChannel(
        new RpcInvocationHandler() {
          @Override
          public Object invoke(Object proxy, Method method, Object[] args) throws Exception {
            return answer.get();
          }

          @Override
          public Client.ConnectionId getConnectionId() {
            return null;
          }

          @Override
          public void close() {}
        },
        CALLS_MAX);
  }

  private static VersionResponseProto version() {
    return VersionResponseProto.newBuilder()
        .setInfo(
            NamespaceInfoProto.newBuilder()
                .setBuildVersion("")
                .setUnused(0)
                .setBlockPoolID("pool")
                .setStorageInfo(
                    StorageInfoProto.newBuilder()
                        .setLayoutVersion(0)
                        .setNamespceID(0)
                        .setClusterID("")
                        .setCTime(0))
                .setSoftwareVersion(""))
        .build();
  }

  private static NameNodeChannel says(int what) {
    return line(() -> PiggybackField.attach(version(), new byte[] {(byte) what}));
  }

  private static NameNodeChannel fails() {
    return line(
        () -> {
          throw new IOException("refused");
        });
  }

  private static NameNodeChannel isStandby() {
    return line(NameNodeChannelsTest::version);
  }

  private NameNodeChannel hangs() {
    return line(
        () -> {
          hanging.incrementAndGet();
          end.await();
          return version();
        });
  }

  @AfterEach
  void letGo() {
    end.countDown();
  }

  private static Optional<Integer> ask(long timeoutMs, NameNodeChannel... lines)
      throws IOException {
    return NameNodeChannels.ask(
        List.of(lines),
        QUESTION,
        answer -> {
          if (answer[0] < 0) {
            throw new IOException("cannot be read");
          }
          return answer[0] == 0 ? Optional.empty() : Optional.of((int) answer[0]);
        },
        timeoutMs);
  }

  @Test
  void oneAnswersWhileAnotherHangs() throws IOException {
    assertEquals(Optional.of(7), ask(LONG_MS, hangs(), isStandby(), says(7)));
  }

  @Test
  void theAnswerThatFitsIsTaken() throws IOException {
    assertEquals(Optional.of(7), ask(LONG_MS, fails(), says(0), says(-1), says(7)));
    assertEquals(Optional.empty(), ask(LONG_MS, isStandby(), says(0)));
    assertEquals(Optional.empty(), ask(LONG_MS));
  }

  @Test
  void whyThereIsNoAnswerIsSaid() {
    IOException refused = assertThrows(IOException.class, () -> ask(LONG_MS, fails(), says(0)));
    assertTrue(refused.getMessage().contains("refused"), refused::getMessage);
    IOException late = assertThrows(IOException.class, () -> ask(SHORT_MS, hangs(), says(0)));
    assertTrue(late.getMessage().contains(SHORT_MS + " ms"), late::getMessage);
  }

  @Test
  void aNameNodeThatHangsKeepsAFewCallsWaitingAndNoMore() throws Exception {
    NameNodeChannel line = hangs();
    for (int i = 0; i < 3 * CALLS_MAX; i++) {
      assertEquals(Optional.of(7), ask(LONG_MS, line, says(7)));
    }
    ExecutionException turnedAway =
        assertThrows(ExecutionException.class, () -> line.ask(QUESTION).get());
    assertTrue(turnedAway.getMessage().contains("does not answer"), turnedAway::getMessage);
    while (hanging.get() < CALLS_MAX) {
      Thread.onSpinWait(); // until those that wait have begun to
    }
    end.countDown();
    CompletableFuture<Optional<byte[]>> again = line.ask(QUESTION);
    while (again.isCompletedExceptionally()) {
      Thread.onSpinWait(); // until those that waited have gone
      again = line.ask(QUESTION);
    }
    assertEquals(Optional.empty(), again.get());
    assertEquals(CALLS_MAX + 1, hanging.get());
  }
}
