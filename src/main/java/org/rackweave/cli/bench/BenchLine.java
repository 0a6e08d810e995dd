package org.rackweave.cli.bench;

import java.util.List;
import java.util.stream.Collectors;

/** One result of a bench, for people and for programs. */
interface BenchLine {
  /** For a terminal, in the columns of the bench's header. */
  String line();

  /** As a JSON object. */
  String json();

  /** A JSON array, one result a line. */
  static String json(List<? extends BenchLine> rows) {
    return rows.stream()
        .map(BenchLine::json)
        .collect(Collectors.joining(",\n  ", "[\n  ", "\n]\n"));
  }
}
