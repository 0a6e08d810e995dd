package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.degraded.NameNodeQuery;

/**
 * The NameNodes that the DataNodes of this process talk to, by the DataNode's UUID, which is known
 * from the first heartbeat on. Bounded by the proxies in the process.
 */
final class NameNodeChannels {
  private static final Map<String, List<NameNodeChannel>> LINES = new ConcurrentHashMap<>();

  private NameNodeChannels() {}

  static void add(String datanodeUuid, NameNodeChannel line) {
    LINES.compute(
        datanodeUuid,
        (uuid, lines) -> {
          List<NameNodeChannel> more = lines == null ? new ArrayList<>() : new ArrayList<>(lines);
          more.add(line);
          return List.copyOf(more);
        });
  }

  static void remove(NameNodeChannel line) {
    LINES.replaceAll((uuid, lines) -> lines.stream().filter(one -> one != line).toList());
    LINES.values().removeIf(List::isEmpty);
  }

  static List<NameNodeChannel> of(String datanodeUuid) {
    return LINES.getOrDefault(datanodeUuid, List.of());
  }

  /** Reads an answer. */
  interface Reader<T> {
    /**
     * @return empty when it answers something else
     */
    Optional<T> read(byte[] answer) throws IOException;
  }

  /**
   * Asks NameNodes at once, so that none that is down or hangs keeps the others' answers.
   *
   * @return the first answer that fits; empty when all have answered and none does
   * @throws IOException when one has failed or not answered in time, and no other's answer fits
   */
  static <T> Optional<T> ask(
      List<NameNodeChannel> lines, NameNodeQuery question, Reader<T> reader, long timeoutMs)
      throws IOException {
    BlockingQueue<CompletableFuture<Optional<byte[]>>> over = new LinkedBlockingQueue<>();
    for (NameNodeChannel line : lines) {
      CompletableFuture<Optional<byte[]>> asked = line.ask(question);
      asked.whenComplete((answer, e) -> over.add(asked));
    }
    long deadlineMs = Time.monotonicNow() + timeoutMs;
    IOException failure = null;
    for (int i = 0; i < lines.size(); i++) {
      try {
        var next = over.poll(deadlineMs - Time.monotonicNow(), TimeUnit.MILLISECONDS);
        if (next == null) {
          failure = new IOException("a NameNode has not answered in " + timeoutMs + " ms", failure);
          break;
        }
        Optional<byte[]> answer = next.get();
        Optional<T> read = answer.isEmpty() ? Optional.empty() : reader.read(answer.get());
        if (read.isPresent()) {
          return read;
        }
      } catch (IOException e) {
        failure = e;
      } catch (ExecutionException e) {
        failure = new IOException("a NameNode has not answered: " + e.getCause(), e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while asking NameNodes");
      }
    }
    if (failure != null) {
      throw failure;
    }
    return Optional.empty();
  }

  /** Those of one namespace: others have blocks of the same ids. */
  static List<NameNodeChannel> of(String datanodeUuid, String blockPool) {
    return of(datanodeUuid).stream().filter(line -> blockPool.equals(line.blockPool())).toList();
  }
}
