package org.rackweave.cli.demo.cluster;

import java.util.concurrent.TimeUnit;

/**
 * One direction of a host's link, shared by all that passes: a token bucket that flows take turns
 * at, so that each gets an equal part of a link that is full. Thread-safe.
 */
final class NetworkLink {
  /** What a link that was idle lets pass at once; threads wake up late by some milliseconds. */
  private static final long DEPTH_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final double nanosPerByte;
  private long freeAtNanos = Long.MIN_VALUE; // of a clock that may be below 0
  private long passedBytes;

  NetworkLink(long bytesPerSec) {
    nanosPerByte = 1e9 / bytesPerSec;
  }

  /** Takes a turn for so many bytes; returns when they have passed. */
  synchronized long reserve(int bytes, long nowNanos) {
    passedBytes += bytes;
    freeAtNanos = Math.max(freeAtNanos, nowNanos - DEPTH_NANOS) + (long) (bytes * nanosPerByte);
    return freeAtNanos;
  }

  /** Counts bytes that pass without a limit. */
  synchronized void pass(int bytes) {
    passedBytes += bytes;
  }

  synchronized long passedBytes() {
    return passedBytes;
  }
}
