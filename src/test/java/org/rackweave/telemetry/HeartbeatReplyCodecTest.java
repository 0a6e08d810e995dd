package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;

class HeartbeatReplyCodecTest {

  @Test
  void readsBackEveryReply() {
    for (int topReads = 0; topReads <= HeartbeatReport.MAX_TOP_READS; topReads++) {
      HeartbeatReply reply = new HeartbeatReply(topReads);
      assertEquals(Optional.of(reply), decode(HeartbeatReplyCodec.encode(reply)));
    }
  }

  @Test
  void needsOneByteWhenNothingIsAsked() {
    assertEquals(1, HeartbeatReplyCodec.encode(HeartbeatReply.NOTHING).length);
  }

  @Test
  void skipsInstructionsOfANewerNameNode() {
    byte[] newer =
        new Bytes()
            .add(HeartbeatReplyCodec.VERSION)
            .tag(7, WireCursor.LENGTH_DELIMITED)
            .add(2, 1, 2)
            .tag(1, WireCursor.VARINT)
            .varint(40)
            .tag(8, WireCursor.FIXED64)
            .add(new byte[8])
            .toArray();
    assertEquals(Optional.of(new HeartbeatReply(40)), decode(newer));
  }

  @Test
  void givesAsManyReadCountsAsItCanWhenMoreAreAsked() {
    byte[] greedy =
        new Bytes()
            .add(HeartbeatReplyCodec.VERSION)
            .tag(1, WireCursor.VARINT)
            .varint(Long.MAX_VALUE)
            .toArray();
    assertEquals(Optional.of(new HeartbeatReply(HeartbeatReport.MAX_TOP_READS)), decode(greedy));
  }

  @Test
  void ignoresRepliesItDoesNotUnderstand() {
    assertEquals(Optional.empty(), decode(null));
    assertEquals(Optional.empty(), decode(new byte[0]));
    assertEquals(Optional.empty(), decode(new byte[] {2}));
    assertEquals(Optional.empty(), decode(new byte[] {1, 8}), "cut");
    assertEquals(
        Optional.empty(),
        decode(new Bytes().add(1).tag(1, WireCursor.VARINT).varint(-1).toArray()));
    byte[] oversized = new byte[HeartbeatReplyCodec.MAX_ENCODED_BYTES + 1];
    Arrays.fill(oversized, (byte) 1);
    assertEquals(Optional.empty(), decode(oversized));
  }

  @Test
  void survivesRandomBytes() {
    long seed = System.nanoTime();
    Random random = MixedRandom.of(seed);
    for (int i = 0; i < 10_000; i++) {
      byte[] bytes = new byte[1 + random.nextInt(20)];
      random.nextBytes(bytes);
      bytes[0] = HeartbeatReplyCodec.VERSION;
      decode(bytes).ifPresent(reply -> assertTrue(reply.topReads() >= 0, () -> "seed " + seed));
    }
  }

  @Test
  void refusesToAskForMoreThanTheLimit() {
    assertThrows(IllegalArgumentException.class, () -> new HeartbeatReply(-1));
    assertThrows(
        IllegalArgumentException.class,
        () -> new HeartbeatReply(HeartbeatReport.MAX_TOP_READS + 1));
  }

  private static Optional<HeartbeatReply> decode(byte[] bytes) {
    return HeartbeatReplyCodec.decode(bytes);
  }
}
