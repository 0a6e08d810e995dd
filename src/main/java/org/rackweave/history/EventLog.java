package org.rackweave.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.rackweave.history.Event.Kind;

/**
 * What has happened lately: of each kind the last {@value #KEPT_OF_KIND}, so that what happens
 * often pushes out nothing rare. Of the kinds that may happen thousands of times a minute no more
 * are kept than fill their place in ten minutes, see {@link History}; others are all kept. Memory:
 * some 400 bytes an event, 6 MB if all kinds are full.
 *
 * <p>Lock-free and safe for use by many threads.
 */
public final class EventLog {
  private static final int KEPT_OF_KIND = 1000;
  private static final long SPAN_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final LongSupplier wallClockMs;
  private final LongSupplier monotonicNanos;
  private final Map<Kind, History<Event>> byKind = new EnumMap<>(Kind.class);

  public EventLog(LongSupplier wallClockMs, LongSupplier monotonicNanos) {
    this.wallClockMs = wallClockMs;
    this.monotonicNanos = monotonicNanos;
    for (Kind kind : Kind.values()) {
      byKind.put(kind, new History<>(KEPT_OF_KIND, SPAN_NANOS));
    }
  }

  /** Keeps what concerns the NameNode as a whole. */
  public void add(Kind kind, String text) {
    add(kind, "", () -> text);
  }

  /**
   * Keeps an event, or counts it where too many of its kind come.
   *
   * @param subject path of a file, place of a DataNode, {@code blk_} and a number, or empty
   * @param text what has happened; only asked for when it is kept
   */
  public void add(Kind kind, String subject, Supplier<String> text) {
    History<Event> history = byKind.get(kind);
    if (!kind.isFrequent() || history.admits(monotonicNanos.getAsLong())) {
      history.add(
          new Event(
              wallClockMs.getAsLong(),
              kind,
              PlacementRecord.kept(subject),
              PlacementRecord.kept(text.get())));
    }
  }

  /**
   * The latest of all kinds, newest first.
   *
   * @param mostFrequent of each kind that may happen often
   */
  public List<Event> latest(int most, int mostFrequent, Predicate<? super Event> which) {
    List<Event> found = new ArrayList<>();
    byKind.forEach(
        (kind, history) ->
            found.addAll(history.latest(kind.isFrequent() ? mostFrequent : most, which)));
    found.sort(Comparator.comparingLong(Event::atMs).reversed());
    return found.size() > most ? List.copyOf(found.subList(0, most)) : found;
  }

  /** How many were kept so far, of all kinds. */
  public long added() {
    return byKind.values().stream().mapToLong(History::added).sum();
  }

  /** How many are kept at most, of all kinds. */
  public int capacity() {
    return KEPT_OF_KIND * byKind.size();
  }

  /**
   * Keeps what was kept before a restart, as older than all there is.
   *
   * @param newestFirst of all kinds
   */
  public void resume(List<Event> newestFirst) {
    byKind.forEach(
        (kind, history) ->
            history.resume(newestFirst.stream().filter(event -> event.kind() == kind).toList()));
  }

  /** How many were not kept because too many of their kind came. */
  public long left() {
    return byKind.values().stream().mapToLong(History::left).sum();
  }
}
