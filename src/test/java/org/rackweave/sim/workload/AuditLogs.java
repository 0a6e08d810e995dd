package org.rackweave.sim.workload;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;

/** Audit lines as the NameNode writes them, for tests. */
final class AuditLogs {

  static final FileShape SHAPE = new FileShape(new Distribution.Fixed(1000), 300, 3);

  private AuditLogs() {}

  /** A line at so many milliseconds after noon. */
  static String line(long afterMs, String ip, String command, String source, String destination) {
    long ms = 12 * 3_600_000 + afterMs;
    return String.format(
        Locale.ROOT,
        "2024-05-01 %02d:%02d:%02d,%03d INFO FSNamesystem.audit: allowed=true\tugi=amy (auth:SIMPLE)"
            + "\tip=%s\tcmd=%s\tsrc=%s\tdst=%s\tperm=null\tproto=rpc",
        ms / 3_600_000,
        ms / 60_000 % 60,
        ms / 1000 % 60,
        ms % 1000,
        ip,
        command,
        source,
        destination);
  }

  static String line(long afterMs, String command, String source) {
    return line(afterMs, "/10.0.0.1", command, source, "null");
  }

  static String rename(long afterMs, String source, String destination) {
    return line(afterMs, "/10.0.0.1", "rename", source, destination);
  }

  static AuditReplay open(Path... logs) throws InputException {
    return open(Optional.empty(), KnownClients.none(), logs);
  }

  static AuditReplay open(Optional<Path> listing, KnownClients clients, Path... logs)
      throws InputException {
    return AuditReplay.open(
        new AuditReplay.Settings(List.of(logs), listing, SHAPE, clients, 1, 1000),
        new SplittableRandom(1));
  }

  /** The requests in words, with times in milliseconds. */
  static List<String> words(Workload workload) {
    List<String> words = new ArrayList<>();
    workload.requests().forEachOrdered(request -> words.add(word(request)));
    return words;
  }

  private static String word(TimedRequest request) {
    long ms = request.atNanos() / 1_000_000;
    if (request instanceof TimedRequest.Write write) {
      return ms + " write " + write.file() + " " + write.sizeBytes() + "x" + write.replication();
    }
    if (request instanceof TimedRequest.Read read) {
      return ms + " read " + read.file();
    }
    if (request instanceof TimedRequest.Delete delete) {
      return ms + " delete " + delete.file();
    }
    if (request instanceof TimedRequest.SetReplication change) {
      return ms + " factor " + change.file() + " " + change.replication();
    }
    return ms + " rename " + ((TimedRequest.Rename) request).files();
  }
}
