package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ForwardedBytesTest {
  private final ForwardedBytes forwarded = new ForwardedBytes();

  @Test
  void countsNothingFromBeforeTheFirstSample() {
    forwarded.advance(5_000, 50, 40);
    assertEquals(0, forwarded.total());
  }

  @Test
  void takesTheShareOfPacketsAcknowledgedFromDownstream() {
    forwarded.advance(0, 0, 0);
    forwarded.advance(1_000, 10, 5);
    assertEquals(500, forwarded.total());
    forwarded.advance(2_000, 20, 15);
    assertEquals(1_500, forwarded.total());
    forwarded.advance(3_000, 30, 15);
    assertEquals(1_500, forwarded.total());
  }

  @Test
  void keepsTheShareWhenTheAcknowledgementCountRestarts() {
    forwarded.advance(0, 0, 0);
    forwarded.advance(1_000, 10, 5);
    forwarded.advance(2_000, 20, 2);
    assertEquals(1_000, forwarded.total());
  }

  @Test
  void neverForwardsMoreThanWasReceived() {
    forwarded.advance(0, 0, 0);
    forwarded.advance(1_000, 10, 500);
    assertEquals(1_000, forwarded.total());
  }

  @Test
  void staysPutWhileIdle() {
    forwarded.advance(0, 0, 0);
    forwarded.advance(1_000, 10, 10);
    forwarded.advance(1_000, 10, 10);
    assertEquals(1_000, forwarded.total());
  }
}
