package org.rackweave.sim.claims;

import java.util.ArrayList;
import java.util.List;
import org.rackweave.sim.claims.EafrRuns.Case;
import org.rackweave.sim.claims.EafrRuns.Load;
import org.rackweave.sim.claims.EafrRuns.System;
import org.rackweave.sim.workload.PublishedStatistics;

/**
 * Which loads EAFR's claims are judged by, and for how long each system runs under them. EAFR needs
 * some intervals T of ten minutes until factors have settled, and standby servers need two hours
 * until they are full and asleep.
 */
final class EafrLoads {
  private static final double CALM_EXPONENT = -1;

  private final List<Load> calls;
  private final List<Load> files;
  private final Load day = Load.files(Math.round(PublishedStatistics.EAFR_READS_PER_SEC));
  private final boolean isQuick;

  EafrLoads(boolean isQuick) {
    this.isQuick = isQuick;
    calls = (isQuick ? List.of(30) : List.of(10, 20, 40, 60)).stream().map(Load::calls).toList();
    files =
        (isQuick ? List.of(300.0) : List.of(100.0, 200.0, 300.0))
            .stream().map(Load::files).toList();
  }

  /** So many calls of one file at a moment (section 4.1.1: 10 to 60). */
  List<Load> calls() {
    return calls;
  }

  Load mostCalls() {
    return calls.get(calls.size() - 1);
  }

  /** So many files a second (section 4.1.1: 100 to 300). */
  List<Load> files() {
    return files;
  }

  Load mostFiles() {
    return files.get(files.size() - 1);
  }

  /** As many files a second as the trace has calls. */
  Load day() {
    return day;
  }

  /** Calls of the trace one by one, at the highest rate. */
  Load callsOneByOne() {
    Load most = mostFiles();
    return new Load(false, most.perSec(), 1, most.sizeExponent());
  }

  /** Files at the highest rate, small ones read far more often. */
  Load calmFiles() {
    return new Load(true, mostFiles().perSec(), 1, CALM_EXPONENT);
  }

  List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (Load load : calls) {
      cases.add(new Case(System.HDFS, load, 5, 10));
      cases.add(new Case(System.CDRM, load, 15, 20));
      cases.add(settled(System.EAFR, load));
      cases.add(settled(System.NET, load));
    }
    cases.add(new Case(System.CDRM_3, mostCalls(), 15, 20));
    cases.add(new Case(System.CDRM_RANDOM, mostCalls(), 15, 20));
    cases.add(settled(System.ORACLE, mostCalls()));
    for (Load load : files) {
      for (System system : EafrRuns.COMPARED) {
        cases.add(queued(system, load));
      }
    }
    cases.add(queued(System.AWAKE, mostFiles()));
    for (System system : List.of(System.HDFS, System.CDRM, System.EAFR)) {
      cases.add(queued(system, calmFiles()));
      cases.add(queued(system, callsOneByOne()));
    }
    for (System system :
        List.of(
            System.HDFS,
            System.CDRM,
            System.CDRM_TWO_IN_TEN,
            System.EAFR,
            System.EAFR_3,
            System.AFTER_STOCK)) {
      cases.add(isQuick ? queued(system, day) : new Case(system, day, 120, 150));
    }
    return cases;
  }

  private Case settled(System system, Load load) {
    return isQuick ? new Case(system, load, 21, 30) : new Case(system, load, 40, 50);
  }

  /** Queues that grow have no end to settle at: all systems run for the same time. */
  private Case queued(System system, Load load) {
    return isQuick ? new Case(system, load, 11, 21) : new Case(system, load, 40, 80);
  }
}
