package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What clients of raw sockets can hold of a decode port. */
class DecodeListenerTest {
  private static final int DEADLINE_MS = 30_000;
  private static final String NEAR = "127.0.0.1";
  private static final String OTHER = "127.0.0.2";

  /** Asks for so many bytes of zeros. */
  private static final int LITTLE = 3;

  private static final int MUCH = 100;
  private static final long MUCH_BYTES = 512L << 20;

  private final AgentMetrics metrics = new AgentMetrics();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final Logger hooks = Logger.getLogger("org.rackweave.hdfs.hook");

  @BeforeEach
  void silenceExpectedErrors() {
    hooks.setLevel(Level.OFF);
  }

  @AfterEach
  void closeAll() throws Exception {
    mayEnd.countDown();
    for (AutoCloseable one : open) {
      one.close();
    }
    hooks.setLevel(null);
  }

  private static DecodeListener.Limits limits(
      int connections, int perClient, int turns, long requestMs, long stallMs) {
    return new DecodeListener.Limits(
        connections, perClient, turns, requestMs, 200, stallMs, 1 << 20, 50);
  }

  private DecodeListener listen(int port, DecodeListener.Limits limits) {
    DecodeListener[] self = new DecodeListener[1];
    self[0] =
        new DecodeListener(
            new InetSocketAddress(NEAR, port),
            true,
            limits,
            metrics,
            client -> serve(self[0], client));
    open.add(0, self[0]);
    self[0].start();
    return self[0];
  }

  /** As the server of blocks does, in short. */
  private void serve(DecodeListener listener, DecodeClient client) throws IOException {
    int asked = client.socket().getInputStream().read();
    client.hasAsked();
    OutputStream out = client.timed(client.socket().getOutputStream());
    try {
      listener.inTurn(
          client,
          () -> {
            byte[] chunk = new byte[asked == MUCH ? 64 << 10 : asked];
            for (long sent = 0; sent < (asked == MUCH ? MUCH_BYTES : 1); sent += chunk.length) {
              out.write(chunk);
            }
            if (asked == 1) {
              awaitEnd();
            }
          });
    } catch (DecodeListener.BusyException e) {
      out.write(new byte[] {-1});
    }
  }

  private void awaitEnd() {
    try {
      assertTrue(mayEnd.await(DEADLINE_MS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Socket connect(DecodeListener listener, String from) throws IOException {
    Socket socket = new Socket();
    open.add(0, socket);
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(new InetSocketAddress(NEAR, listener.port()), DEADLINE_MS);
    socket.setSoTimeout(DEADLINE_MS);
    return socket;
  }

  private Socket ask(DecodeListener listener, String from, int what) throws IOException {
    Socket socket = connect(listener, from);
    socket.getOutputStream().write(what);
    return socket;
  }

  /** Whether what a client asked for has come, and not that there is no room. */
  private static boolean isServed(Socket socket, int bytes) throws IOException {
    InputStream in = socket.getInputStream();
    for (int i = 0; i < bytes; i++) {
      if (in.read() != 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean isEnded(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException e) {
      return true;
    }
  }

  private static void await(String what, BooleanSupplier condition) throws Exception {
    try {
      GenericTestUtils.waitFor(condition::getAsBoolean, 10, DEADLINE_MS);
    } catch (TimeoutException e) {
      fail("still waiting for: " + what);
    }
  }

  @Test
  void eightIdleConnectionsKeepNobodyFromBeingServed() throws Exception {
    DecodeListener listener = listen(0, DecodeListener.Limits.of(8));
    for (int i = 0; i < 8; i++) {
      connect(listener, NEAR);
    }
    assertTrue(isServed(ask(listener, NEAR, LITTLE), LITTLE));
    assertEquals(0, metrics.decodeRefusedCount());
  }

  @Test
  void whoDoesNotAskInTimeIsCutOff() throws Exception {
    DecodeListener listener = listen(0, limits(2, 2, 1, 200, DEADLINE_MS));
    Socket idle = connect(listener, NEAR);
    assertTrue(isEnded(idle));
    await("it is counted", () -> metrics.decodeCutOffCount() == 1);
    await("there is room again", () -> servesOne(listener));
  }

  private boolean servesOne(DecodeListener listener) {
    try {
      return isServed(ask(listener, NEAR, LITTLE), LITTLE);
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void whoDoesNotReadIsCutOffAndItsTurnIsAnothers() throws Exception {
    DecodeListener listener = listen(0, limits(8, 8, 1, DEADLINE_MS, 300));
    ask(listener, NEAR, MUCH);
    await("it is cut off", () -> metrics.decodeCutOffCount() == 1);
    assertTrue(isServed(ask(listener, OTHER, LITTLE), LITTLE));
  }

  /** It never stalls for long, and would have the turn for hours. */
  @Test
  void whoReadsTooSlowlyIsCutOffInTheEnd() throws Exception {
    DecodeListener listener = listen(0, limits(8, 8, 1, DEADLINE_MS, 2_000));
    Socket slow = ask(listener, NEAR, MUCH);
    await(
        "it is cut off",
        () -> {
          try {
            return slow.getInputStream().read(new byte[2_000]) < 0
                || metrics.decodeCutOffCount() > 0;
          } catch (IOException e) {
            return true;
          }
        });
    await("it is counted", () -> metrics.decodeCutOffCount() == 1);
  }

  @Test
  void oneClientTakesNeitherAllConnectionsNorAllTurns() throws Exception {
    DecodeListener listener = listen(0, limits(8, 3, 2, DEADLINE_MS, DEADLINE_MS));
    for (int i = 0; i < 3; i++) {
      assertTrue(i == 0 ? isServed(ask(listener, NEAR, 1), 1) : connect(listener, NEAR) != null);
    }
    assertTrue(isEnded(connect(listener, NEAR)), "one more connection than it may have");
    assertTrue(isServed(ask(listener, OTHER, LITTLE), LITTLE), "half of the turns are others'");
    assertEquals(1, metrics.decodeRefusedCount());
  }

  @Test
  void whoWaitsForATurnInVainIsToldSo() throws Exception {
    DecodeListener listener = listen(0, limits(8, 8, 1, DEADLINE_MS, DEADLINE_MS));
    assertTrue(isServed(ask(listener, NEAR, 1), 1));
    assertEquals(255, ask(listener, OTHER, LITTLE).getInputStream().read());
    assertEquals(1, metrics.decodeRefusedCount());
  }

  @Test
  void aTakenPortIsReplacedByAnother() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(NEAR))) {
      DecodeListener first = listen(taken.getLocalPort(), DecodeListener.Limits.of(1));
      DecodeListener second = listen(taken.getLocalPort(), DecodeListener.Limits.of(1));
      assertNotEquals(0, first.port());
      assertNotEquals(taken.getLocalPort(), first.port());
      assertNotEquals(first.port(), second.port());
      assertEquals(second.port(), metrics.decodePort());
      assertTrue(isServed(ask(first, NEAR, LITTLE), LITTLE));
      assertTrue(isServed(ask(second, NEAR, LITTLE), LITTLE));
    }
  }

  /** As where only ports below 1024 are secure. */
  @Test
  void whereItMayNotMoveItWaitsForThePort() throws Exception {
    ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(NEAR));
    open.add(taken);
    int port = taken.getLocalPort();
    DecodeListener listener =
        new DecodeListener(
            new InetSocketAddress(NEAR, port),
            false,
            limits(2, 2, 1, DEADLINE_MS, DEADLINE_MS),
            metrics,
            client -> {});
    open.add(0, listener);
    listener.start();
    assertEquals(0, listener.port());
    assertEquals(0, metrics.decodePort());
    taken.close();
    await("it listens", () -> listener.port() == port);
    assertEquals(port, metrics.decodePort());
  }
}
