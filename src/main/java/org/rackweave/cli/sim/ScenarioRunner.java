package org.rackweave.cli.sim;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.rackweave.hdfs.DaemonThreads;
import org.rackweave.sim.report.ScenarioResult;
import org.rackweave.sim.run.PolicyRecord;
import org.rackweave.sim.run.PolicyRun;
import org.rackweave.sim.run.RecoveryRun;
import org.rackweave.sim.run.RunInput;
import org.rackweave.sim.scenario.InputFiles;
import org.rackweave.sim.scenario.PolicySpec;
import org.rackweave.sim.scenario.Scenario;
import org.rackweave.sim.workload.InputException;

/**
 * Runs every policy of scenarios under every seed, as many at a time as there are threads. All
 * inputs are read and checked before the first run begins. A run is single-threaded and sees
 * nothing of the others, so the figures do not depend on the number of threads.
 */
final class ScenarioRunner implements AutoCloseable {
  private final ExecutorService threads;
  private final RunProgress progress;
  private final Map<List<Object>, Future<PolicyRecord>> known = new HashMap<>();

  ScenarioRunner(int threads, RunProgress progress) {
    this.threads = Executors.newFixedThreadPool(threads, DaemonThreads.numbered("simulation"));
    this.progress = progress;
  }

  /** A scenario whose runs are under way. */
  final class Started {
    private final Scenario scenario;
    private final Map<String, List<Future<PolicyRecord>>> records = new LinkedHashMap<>();
    private final Map<String, Started> cases = new LinkedHashMap<>();
    private final List<String> notices = new ArrayList<>();
    private final List<RunInput> inputs = new ArrayList<>();

    private Started(Scenario scenario, InputFiles files) throws InputException {
      this.scenario = scenario;
      for (int run = 0; run < scenario.run().runs(); run++) {
        RunInput input = RunInput.of(scenario, files, scenario.run().seed() + run);
        inputs.add(input);
        input.workload().notices().stream().filter(n -> !notices.contains(n)).forEach(notices::add);
      }
      for (Scenario.Variation variation : scenario.variations()) {
        for (Scenario.Case one : variation.cases()) {
          String name = variation.target() + "=" + one.value();
          cases.put(name, new Started(one.scenario(), files));
        }
      }
    }

    private void send() {
      for (RunInput input : inputs) {
        for (PolicySpec policy : scenario.policies()) {
          records
              .computeIfAbsent(policy.name(), name -> new ArrayList<>())
              .add(known.computeIfAbsent(key(input, policy), key -> submit(input, policy)));
        }
      }
      inputs.clear();
      cases.values().forEach(Started::send);
    }

    private Future<PolicyRecord> submit(RunInput input, PolicySpec policy) {
      progress.expect(scenario);
      return threads.submit(() -> simulate(input, policy));
    }

    private PolicyRecord simulate(RunInput input, PolicySpec policy) {
      RunProgress.Share share = progress.begin(input.scenario(), policy.name(), input.seed());
      PolicyRecord record =
          policy.recovers()
              ? new RecoveryRun(input, policy, ScenarioRunner::cpuNanos)
                  .run((nanos, events) -> share.at(nanos))
              : new PolicyRun(input, policy).run((nanos, events) -> share.at(nanos));
      share.done();
      return record;
    }

    /** Waits for all of the scenario's runs. */
    ScenarioResult await() throws InterruptedException {
      Map<String, List<PolicyRecord>> done = new LinkedHashMap<>();
      for (Map.Entry<String, List<Future<PolicyRecord>>> policy : records.entrySet()) {
        List<PolicyRecord> seen = new ArrayList<>();
        for (Future<PolicyRecord> record : policy.getValue()) {
          seen.add(result(record));
        }
        done.put(policy.getKey(), seen);
      }
      Map<String, ScenarioResult> varied = new LinkedHashMap<>();
      for (Map.Entry<String, Started> one : cases.entrySet()) {
        varied.put(one.getKey(), one.getValue().await());
      }
      return new ScenarioResult(scenario, done, varied, notices);
    }
  }

  /** Of this thread alone: simulations share the machine. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** Everything a run depends on: variations often leave the baseline as it is. */
  private static List<Object> key(RunInput input, PolicySpec policy) {
    Scenario scenario = input.scenario();
    boolean listens = policy instanceof PolicySpec.Sinbad;
    return List.of(
        policy,
        scenario.cluster(),
        listens ? scenario.telemetry() : "",
        scenario.power(),
        scenario.encoding(),
        scenario.recovery(),
        scenario.workloads(),
        scenario.failures(),
        scenario.run().durationMs(),
        scenario.run().warmUpMs(),
        scenario.run().settleEndsMs(),
        input.seed());
  }

  private static PolicyRecord result(Future<PolicyRecord> record) throws InterruptedException {
    try {
      return record.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a run failed: " + e.getCause().getMessage(), e.getCause());
    }
  }

  /**
   * Runs scenarios.
   *
   * @param scenarios by name, in the order in which they are begun
   * @param files where each one's inputs are looked for
   */
  Map<String, ScenarioResult> run(List<Scenario> scenarios, InputFiles files)
      throws InputException, InterruptedException {
    List<Started> started = new ArrayList<>();
    for (Scenario scenario : scenarios) {
      started.add(new Started(scenario, files));
    }
    started.forEach(Started::send);
    Map<String, ScenarioResult> results = new LinkedHashMap<>();
    for (Started one : started) {
      results.put(one.scenario.name(), one.await());
    }
    progress.end();
    return results;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
