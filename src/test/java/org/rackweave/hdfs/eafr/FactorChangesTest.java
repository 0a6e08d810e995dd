package org.rackweave.hdfs.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.Test;
import org.rackweave.eafr.Action;
import org.rackweave.eafr.FileChange;
import org.rackweave.eafr.FileKind;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.EafrConfig;
import org.rackweave.hdfs.RatesConfig;
import org.rackweave.hdfs.eafr.FileLookup.FoundFile;
import org.rackweave.history.Event;
import org.rackweave.history.EventLog;

/** Plans that are carried out when the files are no longer what they were. */
class FactorChangesTest {
  private static final long FILE = 1;
  private static final long BYTES = 100;
  private static final long COOL_DOWN_MS = 1000;
  private static final long AGE_MIN_MS = 500;
  private static final long NOW_MS = 1_000_000;

  private final FakeFiles files = new FakeFiles();
  private final MovedFiles moved = new MovedFiles(() -> COOL_DOWN_MS);
  private final RaisedFiles raised = new RaisedFiles();
  private final List<Long> changed = new ArrayList<>();
  private final EafrConfig config = config();
  private final EventLog events = new EventLog(() -> NOW_MS, () -> 0);
  private final FactorChanges changes =
      new FactorChanges(
          new Controller.NameNodeCalls(
              files,
              /* moves= */ null,
              (fileId, from, to, before, after) -> {
                changed.add(fileId);
                return FactorChange.Result.DONE;
              },
              () -> NOW_MS,
              events),
          raised,
          () -> config.rails().inFlightMax(),
          new ChangeValidator(
              files, () -> config, path -> path.startsWith("/data/coded/"), moved, raised),
          /* mover= */ null,
          new TransferRates(
              () -> new RatesConfig(false, 0.2, 0.5, 0.1), /* isLeftToDayu= */ () -> false, 1000));

  FactorChangesTest() {
    raised.known();
  }

  private static EafrConfig config() {
    Configuration conf = new Configuration(false);
    conf.set(
        ConfiguredRules.HEAT,
        "/data=adapt, /data/none=none, /data/few=adapt max=3, /data/low=adapt r=2");
    conf.set(ConfigKeys.EAFR_AGE_MIN, AGE_MIN_MS + "ms");
    conf.set(ConfigKeys.EAFR_COOL_DOWN, COOL_DOWN_MS + "ms");
    conf.setLong(ConfigKeys.EAFR_BUDGET_BYTES, 2 * BYTES);
    return EafrConfig.from(conf);
  }

  /** A change of a file with factor 3, its own unless there is a mark, as it was planned. */
  private Planned.Step planned(long id, Action action, int to) {
    files.add(id, 3, null);
    files.place(id, datanodes(3));
    FoundFile file = files.files(List.of(id)).get(0);
    return new Planned.Step(
        new FileChange(id, action, 3, to, List.of()),
        file,
        OwnFactor.history(file.mark(), file.factor()));
  }

  private static DatanodeDescriptor[] datanodes(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> DFSTestUtil.getDatanodeDescriptor("10.0.0." + i, "/r" + i))
        .toArray(DatanodeDescriptor[]::new);
  }

  private static FoundFile file(String path, int factor, FileKind kind, long modifiedMs) {
    return new FoundFile(FILE, path, factor, kind, BYTES, modifiedMs, 1, null);
  }

  private void leaves(Skipped why, Planned.Step step) {
    FactorChanges.Outcome outcome = changes.carryOut(List.of(step), NOW_MS);
    assertEquals(Map.of(step.file().id(), why), outcome.left());
    assertEquals(Map.of(why, 1), outcome.skipped());
    assertEquals(0, outcome.done());
    assertEquals(List.of(), changed);
    assertEquals(1, changes.skipped().get(why));
  }

  /** One that was planned, and is another now. */
  private void leaves(Skipped why, FoundFile now) {
    Planned.Step step = planned(FILE, Action.ADD, 4);
    files.put(now);
    leaves(why, step);
  }

  @Test
  void makesWhatMayStillBeMade() {
    Planned.Step step = planned(FILE, Action.ADD, 4);
    files.put(file("/data/elsewhere", 3, FileKind.REPLICATED, 0));
    FactorChanges.Outcome outcome = changes.carryOut(List.of(step), NOW_MS);
    assertEquals(new FactorChanges.Outcome(1, Map.of()), outcome);
    assertEquals(List.of(FILE), changed);
    assertEquals(BYTES, raised.totalBytes());
    Event event = events.latest(10, 10, any -> true).get(0);
    assertEquals(Event.Kind.FACTOR, event.kind());
    assertEquals("/data/file1", event.subject(), "as planned");
    assertTrue(event.text().contains("3->4"), event.text());
  }

  @Test
  void leavesAFileThatASnapshotHas() {
    leaves(Skipped.IN_SNAPSHOT, file("/data/file1", 3, FileKind.IN_SNAPSHOT, 0));
  }

  @Test
  void leavesAFileThatWasMovedOutOfItsRule() {
    leaves(Skipped.NO_RULE, file("/elsewhere", 3, FileKind.REPLICATED, 0));
  }

  @Test
  void leavesAFileThatWasMovedToWhereFilesKeepTheirReplicas() {
    leaves(Skipped.NO_RULE, file("/data/none/file", 3, FileKind.REPLICATED, 0));
  }

  @Test
  void leavesAFileThatWasMovedToWhereItMayHaveNoMore() {
    leaves(Skipped.OUT_OF_RULE, file("/data/few/file", 3, FileKind.REPLICATED, 0));
  }

  @Test
  void leavesAFileThatMayFallNoLowerWhereItIsNow() {
    Planned.Step step = planned(FILE, Action.DELETE, 2);
    files.put(file("/data/file", 3, FileKind.REPLICATED, 0));
    leaves(Skipped.OUT_OF_RULE, step);
  }

  @Test
  void movesNoReplicasOfAFileThatWouldLoseOneWhereItIsNow() {
    Planned.Step step = planned(FILE, Action.MIGRATE, 3);
    files.put(file("/data/low/file", 3, FileKind.REPLICATED, 0));
    leaves(Skipped.OUT_OF_RULE, step);
  }

  @Test
  void leavesAFileThatIsEncodedOrIsToBe() {
    leaves(Skipped.ERASURE_CODED, file("/data/coded/file", 3, FileKind.REPLICATED, 0));
  }

  @Test
  void leavesAFileOfHdfsOwnCodes() {
    leaves(Skipped.ERASURE_CODED, file("/data/file1", 3, FileKind.ERASURE_CODED, 0));
  }

  @Test
  void leavesAFileThatIsWritten() {
    leaves(Skipped.CHANGED_MEANWHILE, file("/data/file1", 3, FileKind.BEING_WRITTEN, 0));
  }

  @Test
  void leavesAFileWithAnotherFactor() {
    leaves(Skipped.CHANGED_MEANWHILE, file("/data/file1", 2, FileKind.REPLICATED, 0));
  }

  @Test
  void leavesAFileWithAnotherMark() {
    Planned.Step step = planned(FILE, Action.ADD, 4);
    byte[] mark = "2 2 3 1 1".getBytes(StandardCharsets.US_ASCII);
    files.put(new FoundFile(FILE, "/data/file1", 3, FileKind.REPLICATED, BYTES, 0, 1, mark));
    leaves(Skipped.CHANGED_MEANWHILE, step);
  }

  @Test
  void leavesAFileThatWasWrittenAgain() {
    long modifiedMs = NOW_MS - AGE_MIN_MS + 1;
    Planned.Step step = planned(FILE, Action.DELETE, 2);
    files.put(file("/data/low/file1", 3, FileKind.REPLICATED, modifiedMs));
    leaves(Skipped.TOO_YOUNG, step);
  }

  @Test
  void givesAFileAReplicaHoweverYoungItIs() {
    Planned.Step step = planned(FILE, Action.ADD, 4);
    files.put(file("/data/file1", 3, FileKind.REPLICATED, NOW_MS));
    assertEquals(1, changes.carryOut(List.of(step), NOW_MS).done());
  }

  @Test
  void leavesAFileWhoseReplicasWereMoved() {
    Planned.Step step = planned(FILE, Action.ADD, 4);
    moved.put(FILE, NOW_MS - COOL_DOWN_MS + 1);
    leaves(Skipped.COOLING_DOWN, step);
  }

  @Test
  void leavesAFileThatHasLostAReplica() {
    Planned.Step step = planned(FILE, Action.DELETE, 2);
    files.put(file("/data/low/file", 3, FileKind.REPLICATED, 0));
    files.place(FILE, datanodes(2));
    leaves(Skipped.UNDER_REPLICATED, step);
  }

  @Test
  void aReplicaThatSleepsIsNotLost() {
    Planned.Step delete = planned(FILE, Action.DELETE, 2);
    files.put(file("/data/low/file", 3, FileKind.REPLICATED, 0));
    files.place(FILE, datanodes(2));
    files.asleep = 1;
    assertEquals(1, changes.carryOut(List.of(delete), NOW_MS).done());
  }

  @Test
  void leavesAFileOfWhichAllReplicasSleep() {
    Planned.Step step = planned(FILE, Action.DELETE, 2);
    files.put(file("/data/low/file", 3, FileKind.REPLICATED, 0));
    files.place(FILE);
    files.asleep = 3;
    leaves(Skipped.UNDER_REPLICATED, step);
  }

  @Test
  void movesNoReplicaOfAFileOfWhichOneSleeps() {
    Planned.Step step = planned(FILE, Action.MIGRATE, 3);
    files.put(file("/data/file", 3, FileKind.REPLICATED, 0));
    files.place(FILE, datanodes(2));
    files.asleep = 1;
    leaves(Skipped.UNDER_REPLICATED, step);
  }

  @Test
  void leavesAFileThatIsGoneAndCountsItsReplicasNoLonger() {
    Planned.Step step = planned(FILE, Action.ADD, 4);
    raised.put(FILE, BYTES);
    files.remove(FILE);
    leaves(Skipped.GONE, step);
    assertEquals(0, raised.totalBytes());
  }

  @Test
  void severalPlansTogetherKeepToTheBudget() {
    // Each of them was within the budget when it was made.
    List<Planned.Step> one = List.of(planned(1, Action.ADD, 4), planned(2, Action.ADD, 4));
    List<Planned.Step> other = List.of(planned(3, Action.ADD, 4), planned(4, Action.ADD, 4));
    assertEquals(2, changes.carryOut(one, NOW_MS).done());
    FactorChanges.Outcome outcome = changes.carryOut(other, NOW_MS);
    assertEquals(0, outcome.done());
    assertEquals(Map.of(3L, Skipped.OVER_BUDGET, 4L, Skipped.OVER_BUDGET), outcome.left());
    assertEquals(List.of(1L, 2L), changed);
    assertEquals(2 * BYTES, raised.totalBytes());
  }

  @Test
  void nothingIsAddedBeforeAllFilesHaveBeenPassed() {
    raised.clear();
    leaves(Skipped.OVER_BUDGET, planned(FILE, Action.ADD, 4));
  }

  @Test
  void givesFilesBackWhatTheyHadWhateverHasBecomeOfTheirRule() {
    Planned.Step step = planned(FILE, Action.RESTORE, 2);
    files.put(file("/elsewhere", 3, FileKind.REPLICATED, NOW_MS));
    assertEquals(1, changes.carryOut(List.of(step), NOW_MS).done());
  }
}
