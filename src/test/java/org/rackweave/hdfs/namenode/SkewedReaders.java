package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.rackweave.cli.demo.cluster.EmbeddedCluster;
import org.rackweave.sim.statistics.Sample;

/**
 * Readers, on the hosts of an embedded cluster's DataNodes or anywhere, who read files by Zipf's
 * law: the file of rank k in proportion to 1 / k. Reads begin when they are due, whatever has
 * become of those before: together a Poisson process.
 */
final class SkewedReaders implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final long DEADLINE_SECONDS = 120;

  private final List<FileSystem> clients = new ArrayList<>();
  private final double readsPerSec;
  private final Map<Path, byte[]> contents;
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** A read: who served it, from when it was due to when it was done, in nanoseconds. */
  private record Read(String server, long fromNanos, long toNanos) {}

  /**
   * @param readsPerSec how many all of them begin in a second, on average
   */
  SkewedReaders(EmbeddedCluster cluster, int hosts, double readsPerSec) throws IOException {
    this.readsPerSec = readsPerSec;
    contents = Map.of();
    for (int host = 0; host < hosts; host++) {
      clients.add(
          FileSystem.newInstance(cluster.uri(), cluster.clientConf(cluster.addressOf(host))));
    }
  }

  /**
   * Readers who look at what they read.
   *
   * @param clients closed with these readers
   * @param contents what files hold; others are not looked at
   */
  SkewedReaders(List<FileSystem> clients, double readsPerSec, Map<Path, byte[]> contents) {
    this.clients.addAll(clients);
    this.readsPerSec = readsPerSec;
    this.contents = Map.copyOf(contents);
  }

  /**
   * A read to come.
   *
   * @param start when it is due it begins
   * @param outcome {@code null} when it never began
   */
  private record Planned(Future<?> start, CompletableFuture<Read> outcome) {}

  /** A load that goes on until it is closed. */
  interface Load extends AutoCloseable {
    /** Reads that have ended well by now. */
    long done();

    /** Fails when a read has. */
    @Override
    void close();
  }

  private record Running(List<Planned> reads) implements Load {
    @Override
    public long done() {
      return reads.stream()
          .map(Planned::outcome)
          .filter(read -> read.isDone() && !read.isCompletedExceptionally())
          .count();
    }

    @Override
    public void close() {
      for (Planned read : reads) {
        if (read.start().cancel(false)) {
          read.outcome().complete(null);
        }
      }
      outcomes(reads);
    }
  }

  /** Begins a load of so many reads at most. */
  Load begin(List<Path> files, long seed, int readsMax) {
    return new Running(plan(files, seed, readsMax));
  }

  /** Has them make so many reads, the same at the same times for the same seed. */
  Reading read(List<Path> files, long seed, int count) {
    return new Reading(outcomes(plan(files, seed, count)), clients.size());
  }

  private List<Planned> plan(List<Path> files, long seed, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Planned> reads = new ArrayList<>();
    long startNanos = System.nanoTime();
    double afterSeconds = 0;
    for (int i = 0; i < count; i++) {
      afterSeconds -= Math.log(1 - random.nextDouble()) / readsPerSec;
      FileSystem client = clients.get(random.nextInt(clients.size()));
      Path file = files.get(rank(files.size(), random));
      long dueNanos = startNanos + (long) (1e9 * afterSeconds);
      CompletableFuture<Read> outcome = new CompletableFuture<>();
      Runnable work = () -> carryOut(outcome, client, file, dueNanos);
      Future<?> start =
          clock.schedule(
              () -> threads.execute(work), dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
      reads.add(new Planned(start, outcome));
    }
    return reads;
  }

  private void carryOut(
      CompletableFuture<Read> outcome, FileSystem client, Path file, long dueNanos) {
    try {
      outcome.complete(read(client, file, dueNanos));
    } catch (IOException | RuntimeException e) {
      outcome.completeExceptionally(e);
    }
  }

  /** Of all that were carried out. */
  private static List<Read> outcomes(List<Planned> reads) {
    List<Read> outcomes = new ArrayList<>();
    for (Planned read : reads) {
      try {
        Read outcome = read.outcome().get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        if (outcome != null) {
          outcomes.add(outcome);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted", e);
      } catch (ExecutionException | TimeoutException e) {
        throw new AssertionError("a read failed", e);
      }
    }
    return outcomes;
  }

  /** A rank from 0, drawn by Zipf's law with exponent 1. */
  private static int rank(int files, SplittableRandom random) {
    double all = 0;
    for (int rank = 1; rank <= files; rank++) {
      all += 1.0 / rank;
    }
    double left = random.nextDouble() * all;
    int rank = 0;
    for (left -= 1; left > 0 && rank < files - 1; left -= 1.0 / (rank + 1)) {
      rank++;
    }
    return rank;
  }

  private Read read(FileSystem client, Path file, long dueNanos) throws IOException {
    byte[] wanted = contents.get(file);
    try (HdfsDataInputStream in = (HdfsDataInputStream) client.open(file)) {
      byte[] buffer = new byte[BUFFER_BYTES];
      int from = 0;
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        int to = from + read;
        if (wanted != null
            && (to > wanted.length || !Arrays.equals(wanted, from, to, buffer, 0, read))) {
          throw new IOException(file + " has other bytes than were written, from " + from + " on");
        }
        from = to;
      }
      if (wanted != null && from < wanted.length) {
        throw new IOException(file + " ends after " + from + " bytes");
      }
      return new Read(in.getCurrentDatanode().getDatanodeUuid(), dueNanos, System.nanoTime());
    }
  }

  @Override
  public void close() throws IOException {
    clock.shutdownNow();
    threads.shutdownNow();
    for (FileSystem client : clients) {
      client.close();
    }
  }

  /** What came of some reads. */
  static final class Reading {
    private final List<Read> reads;
    private final int servers;

    private Reading(List<Read> reads, int servers) {
      this.reads = reads;
      this.servers = servers;
    }

    int count() {
      return reads.size();
    }

    private double milliseconds(double fraction) {
      double[] all =
          reads.stream().mapToDouble(read -> (read.toNanos() - read.fromNanos()) / 1e6).toArray();
      return new Sample(all).quantile(fraction);
    }

    /**
     * Share of all servers' time in which one served more reads at a time than it should.
     *
     * @param most what it should serve at most
     */
    private double overloadedShare(int most) {
      Map<String, List<long[]>> changes = new HashMap<>();
      for (Read read : reads) {
        List<long[]> its = changes.computeIfAbsent(read.server(), server -> new ArrayList<>());
        its.add(new long[] {read.fromNanos(), 1});
        its.add(new long[] {read.toNanos(), -1});
      }
      double overloadedNanos = 0;
      for (List<long[]> its : changes.values()) {
        its.sort((one, other) -> Long.compare(one[0], other[0]));
        long underWay = 0;
        long sinceNanos = 0;
        for (long[] change : its) {
          overloadedNanos += underWay > most ? change[0] - sinceNanos : 0;
          underWay += change[1];
          sinceNanos = change[0];
        }
      }
      long fromNanos = reads.stream().mapToLong(Read::fromNanos).min().orElseThrow();
      long toNanos = reads.stream().mapToLong(Read::toNanos).max().orElseThrow();
      return overloadedNanos / ((double) servers * (toNanos - fromNanos));
    }

    /**
     * How long they took, and how many servers were at once too busy.
     *
     * @param most reads that a server should serve at a time
     */
    Figures figures(int most) {
      return new Figures(
          milliseconds(0.5), milliseconds(0.95), milliseconds(0.99), overloadedShare(most));
    }
  }

  /**
   * Percentiles of how long reads took, in milliseconds, and the share of all servers' time in
   * which they served more at a time than they should.
   */
  record Figures(double p50Ms, double p95Ms, double p99Ms, double overloadedShare) {
    /** Of each figure the median. */
    static Figures median(List<Figures> all) {
      return new Figures(
          median(all, Figures::p50Ms),
          median(all, Figures::p95Ms),
          median(all, Figures::p99Ms),
          median(all, Figures::overloadedShare));
    }

    private static double median(List<Figures> all, ToDoubleFunction<Figures> figure) {
      return new Sample(all.stream().mapToDouble(figure).toArray()).median();
    }

    /** For a log. */
    String describe() {
      return String.format(
          Locale.ROOT,
          "p50 %.0f ms, p95 %.0f ms, p99 %.0f ms, servers overloaded %.1f %% of the time",
          p50Ms,
          p95Ms,
          p99Ms,
          100 * overloadedShare);
    }
  }
}
