package org.rackweave.sim.claims;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.rackweave.sim.claims.Claim.Detail;
import org.rackweave.sim.claims.EafrRuns.Load;
import org.rackweave.sim.claims.EafrRuns.Seen;
import org.rackweave.sim.claims.EafrRuns.System;

/**
 * EAFR's claims (Lin, Shen, TPDS 28(4), 2017, section 4). Of most figures only the text survives:
 * what is lower than what. Limits that it leaves open are stated in each claim.
 */
public final class EafrStudy implements ClaimStudy {

  @Override
  public Findings findings(Plan plan, Workers workers) throws InterruptedException {
    EafrLoads loads = new EafrLoads(plan.isQuick());
    EafrRuns runs = EafrRuns.of(loads.cases(), plan, workers);
    EafrCopies copies = EafrCopies.of(plan, workers);
    EafrReadClaims reads = new EafrReadClaims(runs, loads);
    EafrServerClaims servers = new EafrServerClaims(runs, loads);
    List<Claim> claims = new ArrayList<>();
    claims.add(copies.replicasLatency());
    claims.add(reads.concurrency());
    claims.add(reads.arrival());
    claims.add(copies.replicationTime());
    claims.add(servers.energy());
    claims.add(servers.overload());
    claims.add(servers.storage());
    claims.add(servers.maintenance());
    claims.add(servers.failures());
    claims.add(copies.rate());
    claims.add(reads.network());
    claims.add(copies.load());
    List<Chart> charts = new ArrayList<>(copies.charts());
    charts.addAll(charts(runs, loads));
    return new Findings(claims, charts);
  }

  private static List<Chart> charts(EafrRuns runs, EafrLoads loads) {
    List<String> calls = loads.calls().stream().map(load -> load.together() + " at once").toList();
    List<String> files =
        loads.files().stream().map(load -> Math.round(load.perSec()) + " a second").toList();
    return List.of(
        chart(
            runs,
            "Mean latency of calls to one file (Fig. 6a, 12a)",
            "ms",
            calls,
            loads.calls(),
            Seen::meanMs),
        chart(
            runs,
            "Calls that take more than 10 ms (Fig. 6b, 13a)",
            "%",
            calls,
            loads.calls(),
            seen -> 100 * seen.lateShare()),
        chart(
            runs,
            "Reads of files answered after more than 10 ms (Fig. 7b, 13b)",
            "%",
            files,
            loads.files(),
            seen -> 100 * seen.lateShare()),
        chart(
            runs,
            "Servers overloaded while files are read (Fig. 9b)",
            "%",
            files,
            loads.files(),
            seen -> 100 * seen.overloadedShare()));
  }

  private static Chart chart(
      EafrRuns runs,
      String title,
      String unit,
      List<String> groups,
      List<Load> loads,
      ToDoubleFunction<Seen> figure) {
    List<Bars> bars = new ArrayList<>();
    for (System system : EafrRuns.COMPARED) {
      bars.add(
          new Bars(
              system.label,
              loads.stream().mapToDouble(load -> runs.mean(system, load, figure)).toArray()));
    }
    return new Chart(title, unit, groups, bars);
  }

  /** A further figure of one system under one load, of which the paper says nothing. */
  static Detail detail(
      EafrRuns runs,
      System system,
      Load load,
      String what,
      String unit,
      ToDoubleFunction<Seen> of) {
    return new Detail(
        system.label + ", " + load.text() + (what.isEmpty() ? "" : ", " + what),
        unit,
        Double.NaN,
        runs.estimate(system, load, of));
  }
}
