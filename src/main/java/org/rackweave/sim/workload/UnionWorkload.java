package org.rackweave.sim.workload;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Several workloads at once, merged by time; at one moment the earlier in the list comes first.
 *
 * <p>File numbers and transfer groups stay apart: those of the i-th of n workloads become {@code
 * number * n + i}.
 */
public final class UnionWorkload implements Workload {

  private final List<Workload> parts;

  public UnionWorkload(List<Workload> parts) {
    this.parts = List.copyOf(parts);
  }

  /** Which of the workloads a file or a group of this union came from, counted from 0. */
  public int partOf(long number) {
    return (int) (number % parts.size());
  }

  @Override
  public Stream<StoredFile> storedFiles() {
    // One after another, not by number: what stores them draws in the order of the parts.
    return IntStream.range(0, parts.size())
        .boxed()
        .flatMap(part -> parts.get(part).storedFiles().map(file -> renumbered(file, part)));
  }

  private StoredFile renumbered(StoredFile file, int part) {
    return new StoredFile(
        number(file.file(), part), file.sizeBytes(), file.blockBytes(), file.replication());
  }

  private long number(long number, int part) {
    return number * parts.size() + part;
  }

  @Override
  public Stream<TimedRequest> requests() {
    List<Stream<TimedRequest>> open = new ArrayList<>();
    PriorityQueue<Head> heads =
        new PriorityQueue<>(
            Comparator.comparingLong((Head head) -> head.request.atNanos())
                .thenComparingInt(head -> head.part));
    for (int part = 0; part < parts.size(); part++) {
      Stream<TimedRequest> requests = parts.get(part).requests();
      open.add(requests);
      Iterator<TimedRequest> rest = requests.iterator();
      if (rest.hasNext()) {
        heads.add(new Head(part, rest.next(), rest));
      }
    }
    return Streamed.until(() -> next(heads)).onClose(() -> open.forEach(Stream::close));
  }

  private TimedRequest next(PriorityQueue<Head> heads) {
    Head head = heads.poll();
    if (head == null) {
      return null;
    }
    if (head.rest.hasNext()) {
      heads.add(new Head(head.part, head.rest.next(), head.rest));
    }
    return renumbered(head.request, head.part);
  }

  private TimedRequest renumbered(TimedRequest request, int part) {
    if (request instanceof TimedRequest.Write write) {
      return new TimedRequest.Write(
          write.atNanos(),
          write.writer(),
          number(write.file(), part),
          write.sizeBytes(),
          write.blockBytes(),
          write.replication());
    }
    if (request instanceof TimedRequest.Read read) {
      return new TimedRequest.Read(read.atNanos(), read.reader(), number(read.file(), part));
    }
    if (request instanceof TimedRequest.Delete delete) {
      return new TimedRequest.Delete(delete.atNanos(), number(delete.file(), part));
    }
    if (request instanceof TimedRequest.SetReplication change) {
      return new TimedRequest.SetReplication(
          change.atNanos(), number(change.file(), part), change.replication());
    }
    if (request instanceof TimedRequest.Transfer transfer) {
      return new TimedRequest.Transfer(
          transfer.atNanos(),
          transfer.from(),
          transfer.to(),
          transfer.sizeBytes(),
          number(transfer.group(), part));
    }
    return request;
  }

  private record Head(int part, TimedRequest request, Iterator<TimedRequest> rest) {}
}
