package org.rackweave.hdfs.ear;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.util.Time;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.work.StripeProof;
import org.rackweave.hdfs.work.StripeUnit;
import org.rackweave.hdfs.work.VerifyTask;
import org.rackweave.hdfs.work.WorkReport;

/**
 * Has parity read back by DataNodes that have not made it, before replicas go for it. A parity
 * block is read where it is stored, which costs no transfer; that of the DataNode that made it is
 * read by a neighbour in its rack or, where there is none, by anybody else. That it is the parity
 * of the data, replicas show that have not been read to make it.
 */
final class ParityVerification {
  private static final long GRACE_MS = 60_000;

  private final StripeCommands commands;

  ParityVerification(StripeCommands commands) {
    this.commands = commands;
  }

  /**
   * Returns when all of it has been read and is what was made.
   *
   * @param record with the checksums of what was made
   * @param data blocks in order, each with a DataNode that stores it and was not read from
   * @param parity blocks in order, each with the DataNode that stores it
   * @param makers DataNodes one of which may have made it
   * @param bytesPerSec most that is read of a block in a second, 0 = no limit
   * @throws EncodingFailedException when that cannot be, or it is not
   */
  void verify(
      StripeRecord record,
      List<LocatedBlock> data,
      List<LocatedBlock> parity,
      List<DatanodeDescriptor> makers,
      ClusterView nodes,
      long bytesPerSec)
      throws EncodingFailedException, InterruptedException {
    StripeProof proof = StripeProof.of(record).orElseThrow();
    List<CompletableFuture<WorkReport>> reports = new ArrayList<>();
    long timeMs = 0;
    // Of data whose checksums HDFS keeps in another form a share is read as well.
    int share = (data.size() + parity.size() - 1) / parity.size();
    long bytes = record.parityBytes() * (1 + share);
    for (int i = 0; i < parity.size(); i++) {
      StripeUnit unit = new StripeUnit(record.code().dataBlocks() + i, parity.get(i));
      VerifyTask task = new VerifyTask(record.code(), data, unit, proof, bytesPerSec);
      DatanodeDescriptor by =
          verifier(parity.get(i).getLocations()[0], makers, nodes)
              .orElseThrow(() -> failed("no other DataNode is there to read it back", null));
      timeMs = Math.max(timeMs, StripeCommands.timeMs(task, bytes));
      try {
        reports.add(commands.give(by, task, bytes, Time.monotonicNow()));
      } catch (IllegalStateException e) {
        throw failed(e.getMessage(), e);
      }
    }
    for (CompletableFuture<WorkReport> each : reports) {
      await(each, timeMs + GRACE_MS);
    }
  }

  private static void await(CompletableFuture<WorkReport> each, long timeMs)
      throws EncodingFailedException, InterruptedException {
    try {
      WorkReport report = each.get(timeMs, TimeUnit.MILLISECONDS);
      if (report.state() != WorkReport.State.DONE) {
        throw failed(report.message(), null);
      }
    } catch (ExecutionException | TimeoutException e) {
      throw failed(e.toString(), e);
    }
  }

  private static EncodingFailedException failed(String why, Exception cause) {
    return new EncodingFailedException(
        EncodingRefusal.NOT_VERIFIED, "its parity is not verified: " + why, cause);
  }

  private static Optional<DatanodeDescriptor> verifier(
      DatanodeInfo holder, List<DatanodeDescriptor> makers, ClusterView nodes) {
    List<DatanodeDescriptor> others =
        IntStream.range(0, nodes.datanodes().length)
            .filter(nodes::isFresh)
            .mapToObj(node -> nodes.datanodes()[node])
            .filter(node -> !makers.contains(node))
            .toList();
    int turn = others.isEmpty() ? 0 : ThreadLocalRandom.current().nextInt(others.size());
    return IntStream.range(0, others.size())
        .mapToObj(i -> others.get((turn + i) % others.size()))
        .min(
            Comparator.comparing(
                    (DatanodeDescriptor node) ->
                        !node.getDatanodeUuid().equals(holder.getDatanodeUuid()))
                .thenComparing(
                    node -> !node.getNetworkLocation().equals(holder.getNetworkLocation())));
  }
}
