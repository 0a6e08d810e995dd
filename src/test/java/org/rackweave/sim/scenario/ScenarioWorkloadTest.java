package org.rackweave.sim.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.sim.workload.InputException;
import org.rackweave.sim.workload.TimedRequest;
import org.rackweave.sim.workload.WorkloadSummary;

class ScenarioWorkloadTest {
  @TempDir Path directory;

  private static final String CLUSTER = "cluster: {racks: 10, nodes-per-rack: 4}\nworkloads:\n";
  private static final String END = "policies: [{kind: stock}]\nrun: {duration: 10min}\n";

  private static Scenario scenario(String text) throws InputException {
    return ScenarioText.parse(Path.of("test.yaml"), text.lines().toList());
  }

  private ScenarioWorkload workload(Scenario scenario, long seed) throws InputException {
    InputFiles files = new InputFiles(List.of(directory));
    return ScenarioWorkload.of(scenario, Machines.of(scenario, files), files, seed);
  }

  private List<TimedRequest> requests(String workloads, long seed) throws InputException {
    return workload(scenario(CLUSTER + workloads + END), seed).requests().requests().toList();
  }

  @Test
  void everyKindOfWorkloadMakesRequests() throws InputException, IOException {
    Files.writeString(directory.resolve("coflows.txt"), "10 1\n1 0 2 0 1 1 2:8.0\n");
    Files.writeString(directory.resolve("jobs.tsv"), "job0\t5\t5\t700\t0\t900\n");
    Files.writeString(
        directory.resolve("audit.log"),
        "2024-05-01 12:00:00,000 INFO FSNamesystem.audit: allowed=true\tugi=a\tip=/10.0.0.1"
            + "\tcmd=create\tsrc=/a\tdst=null\tperm=null\n");
    Files.writeString(
        directory.resolve("files.txt"),
        "Path\tReplication\tModificationTime\tAccessTime\tPreferredBlockSize\tBlocksCount\tFileSize"
            + "\tNSQUOTA\tDSQUOTA\tPermission\tUserName\tGroupName\n"
            + "/x\t3\tt\tt\t128\t1\t77\t0\t0\t-rw\tu\tg\n");
    Scenario scenario =
        scenario(
            CLUSTER
                + "  - {kind: writes, rate: 1/s, writers: reducers, reducers-of: shuffles}\n"
                + "  - {kind: reads, rate: 1/s, files: 5}\n"
                + "  - {kind: shuffles, trace: coflows.txt, required: yes}\n"
                + "  - {kind: swim, trace: jobs.tsv, reads: yes}\n"
                + "  - {kind: transfers, rate: 1/s}\n"
                + "  - {kind: foreground}\n"
                + "  - {kind: audit, log: audit.log, strangers: spread}\n"
                + "  - {kind: stored, listing: files.txt}\n"
                + END);
    ScenarioWorkload workload = workload(scenario, 1);
    assertEquals(
        List.of(
            "The log of audit: 1 lines, 0 refused by the NameNode; 1 creates and opens by nodes, 0"
                + " by clients outside; sizes of 0 files listed, of 1 drawn; without effect here:"
                + " nothing."),
        workload.notices());
    assertEquals(1, workload.audits().get("audit").lines());
    WorkloadSummary summary = WorkloadSummary.of(workload.requests());
    assertEquals(5 + 1 + 1, summary.storedFiles(), "read, job's input, listed");
    assertEquals(40 * 40, summary.kinds().get("nodeload").count(), "ten minutes of 15 s");
    assertTrue(summary.kinds().get("write").count() > 500);
    assertTrue(summary.kinds().get("transfer").count() > 500);
    workload
        .requests()
        .requests()
        .filter(TimedRequest.Write.class::isInstance)
        .map(TimedRequest.Write.class::cast)
        .filter(
            write ->
                workload.names().get(workload.requests().partOf(write.file())).equals("writes"))
        .forEach(write -> assertEquals(2, write.writer() / 4, "the rack of the only reducer"));
  }

  @Test
  void seedsDifferAndWorkloadsDoNotDisturbOneAnother() throws InputException {
    String writes = "  - {kind: writes, rate: 1/s, size: uniform 1MB 9MB}\n";
    String reads = "  - {kind: reads, rate: 1/s, files: 5}\n";
    assertEquals(requests(writes, 3), requests(writes, 3));
    assertNotEquals(requests(writes, 3), requests(writes, 4));
    List<String> alone = new ArrayList<>();
    requests(writes, 3).forEach(request -> alone.add(withoutFile(request)));
    List<String> together = new ArrayList<>();
    for (TimedRequest request : requests(reads + writes, 3)) {
      if (request instanceof TimedRequest.Write) {
        together.add(withoutFile(request));
      }
    }
    assertEquals(alone, together, "the same writes beside reads");
  }

  private static String withoutFile(TimedRequest request) {
    TimedRequest.Write write = (TimedRequest.Write) request;
    return write.atNanos() + " " + write.writer() + " " + write.sizeBytes();
  }

  @Test
  void aLookAlikeStandsForATraceThatIsNotHere() throws InputException {
    String shuffles = "  - {kind: shuffles, trace: nowhere.txt}\n";
    ScenarioWorkload workload = workload(scenario(CLUSTER + shuffles + END), 1);
    assertEquals(
        List.of("The trace nowhere.txt of shuffles is not here: a look-alike was drawn."),
        workload.notices());
    assertTrue(workload.requests().requests().findFirst().isPresent());
    Scenario required = scenario(CLUSTER + shuffles.replace("}", ", required: yes}") + END);
    InputException e = assertThrows(InputException.class, () -> workload(required, 1));
    assertEquals("nowhere.txt: there is no such file in " + directory, e.getMessage());
  }

  @Test
  void aBadTraceIsAnErrorEvenIfALookAlikeWouldDo() throws IOException, InputException {
    Files.writeString(directory.resolve("bad.txt"), "10 2\n1 0 2 0 1 1 2:8.0\n");
    Scenario scenario = scenario(CLUSTER + "  - {kind: shuffles, trace: bad.txt}\n" + END);
    InputException e = assertThrows(InputException.class, () -> workload(scenario, 1));
    assertEquals("the file ends after 1 coflows, line 1 says 2", e.reason());
  }

  @Test
  void operatorsTopologyBringsRacksAndNodes() throws IOException, InputException {
    Files.writeString(
        directory.resolve("racks.txt"),
        "Rack: /a\n   10.0.0.1:9866 In Service\n\nRack: /b\n   10.0.1.1:9866 In Service\n");
    String text = "cluster: {topology: racks.txt}\nworkloads: [{kind: writes, rate: 1/s}]\n" + END;
    InputFiles files = new InputFiles(List.of(directory));
    Machines machines = Machines.of(scenario(text), files);
    assertEquals(2, machines.topology().rackCount());
    assertEquals("10.0.1.1:9866", machines.topology().nodeName(1));
    InputException e =
        assertThrows(
            InputException.class,
            () -> Machines.of(scenario(text + "failures: [{rack: 2, at: 1min}]\n"), files));
    assertEquals("has 2 racks; the scenario fails rack 2, counted from 0", e.reason());
  }

  @Test
  void transfersNeedTwoNodes() throws InputException {
    Scenario scenario =
        scenario(
            "cluster: {racks: 1, nodes-per-rack: 1}\nworkloads: [{kind: transfers, rate: 1/s}]\n"
                + END);
    InputException e = assertThrows(InputException.class, () -> workload(scenario, 1));
    assertEquals("test: workload transfers needs at least two nodes", e.getMessage());
  }
}
