package org.rackweave.hdfs.roles;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What servers' sleep has come to since the NameNode started. Thread-safe. */
final class SleepCounts {
  /** What is counted. */
  enum Count {
    FALLEN_ASLEEP("DataNodes switched off (without a power command: logged only)"),
    BACK("DataNodes woken that have reported their blocks"),
    GIVEN_UP("DataNodes woken that did not return in time"),
    REFUSED("DataNodes that did not enter maintenance in time"),
    COMMANDS_FAILED("Power commands that failed or were killed");

    private final String about;

    Count(String about) {
      this.about = about;
    }

    String about() {
      return about;
    }
  }

  private final Map<Count, LongAdder> counts = new EnumMap<>(Count.class);
  private final Map<SleepingServer.Reason, LongAdder> woken =
      new EnumMap<>(SleepingServer.Reason.class);

  SleepCounts() {
    for (Count count : Count.values()) {
      counts.put(count, new LongAdder());
    }
    for (SleepingServer.Reason reason : SleepingServer.Reason.values()) {
      woken.put(reason, new LongAdder());
    }
  }

  void add(Count count) {
    counts.get(count).increment();
  }

  void addWoken(SleepingServer.Reason reason) {
    woken.get(reason).increment();
  }

  long of(Count count) {
    return counts.get(count).sum();
  }

  /** How often servers were woken for a reason. */
  long woken(SleepingServer.Reason reason) {
    return woken.get(reason).sum();
  }
}
