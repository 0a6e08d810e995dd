package org.rackweave.sim.workload;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Streams over elements that are made one after another, none before it is asked for. */
final class Streamed {

  private Streamed() {}

  static <T> Stream<T> of(Iterator<T> elements) {
    int traits = Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.IMMUTABLE;
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(elements, traits), false);
  }

  /** Elements until the supplier gives null. */
  static <T> Stream<T> until(Supplier<T> next) {
    return of(
        new Iterator<T>() {
          private T ahead = next.get();

          @Override
          public boolean hasNext() {
            return ahead != null;
          }

          @Override
          public T next() {
            if (ahead == null) {
              throw new NoSuchElementException();
            }
            T current = ahead;
            ahead = next.get();
            return current;
          }
        });
  }
}
