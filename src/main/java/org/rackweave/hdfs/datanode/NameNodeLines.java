package org.rackweave.hdfs.datanode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The NameNodes that the DataNodes of this process talk to, by the DataNode's UUID, which is known
 * from the first heartbeat on. Bounded by the proxies in the process.
 */
final class NameNodeLines {
  private static final Map<String, List<NameNodeLine>> LINES = new ConcurrentHashMap<>();

  private NameNodeLines() {}

  static void add(String datanodeUuid, NameNodeLine line) {
    LINES.compute(
        datanodeUuid,
        (uuid, lines) -> {
          List<NameNodeLine> more = lines == null ? new ArrayList<>() : new ArrayList<>(lines);
          more.add(line);
          return List.copyOf(more);
        });
  }

  static void remove(NameNodeLine line) {
    LINES.replaceAll((uuid, lines) -> lines.stream().filter(one -> one != line).toList());
    LINES.values().removeIf(List::isEmpty);
  }

  static List<NameNodeLine> of(String datanodeUuid) {
    return LINES.getOrDefault(datanodeUuid, List.of());
  }

  /** Those of one namespace: others have blocks of the same ids. */
  static List<NameNodeLine> of(String datanodeUuid, String blockPool) {
    return of(datanodeUuid).stream().filter(line -> blockPool.equals(line.blockPool())).toList();
  }
}
