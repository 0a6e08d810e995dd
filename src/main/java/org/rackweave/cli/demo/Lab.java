package org.rackweave.cli.demo;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.DFSClient;
import org.rackweave.cli.demo.cluster.BackgroundBlocks;
import org.rackweave.cli.demo.cluster.BackgroundLoad;
import org.rackweave.cli.demo.cluster.EmbeddedCluster;
import org.rackweave.cli.demo.cluster.LoopbackAddresses;
import org.rackweave.cli.experiment.BlockWrite;
import org.rackweave.cli.experiment.HotSchedule;

/** What all rounds share: the cluster, its background load and the clients. */
final class Lab implements Closeable {

  private final DemoSettings settings;
  private final EmbeddedCluster cluster;
  private final BackgroundLoad background;
  private final Writers writers;
  private final DFSClient inspector;
  private volatile Consumer<BlockWrite> blockSink = block -> {};

  private Lab(DemoSettings settings, EmbeddedCluster cluster) throws IOException {
    this.settings = settings;
    this.cluster = cluster;
    BackgroundBlocks blocks = BackgroundBlocks.write(cluster, settings);
    cluster.limitLinks();
    this.background = BackgroundLoad.start(cluster, blocks);
    this.writers = new Writers(cluster, settings, block -> blockSink.accept(block));
    String outside = LoopbackAddresses.ofOutsider(settings.outsiders());
    this.inspector = new DFSClient(cluster.uri(), cluster.clientConf(outside));
  }

  /** Starts everything; {@code storage} is where DataNodes keep blocks until {@link #close}. */
  static Lab start(DemoSettings settings, Path storage) throws IOException {
    return start(settings, storage, Map.of());
  }

  /** The same with further properties of NameNode, DataNodes and clients. */
  static Lab start(DemoSettings settings, Path storage, Map<String, String> properties)
      throws IOException {
    EmbeddedCluster cluster = EmbeddedCluster.start(settings, storage, properties);
    try {
      return new Lab(settings, cluster);
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  EmbeddedCluster cluster() {
    return cluster;
  }

  Writers writers() {
    return writers;
  }

  BackgroundLoad background() {
    return background;
  }

  void deliverBlocksTo(Consumer<BlockWrite> sink) {
    blockSink = sink;
  }

  /** Runs a few writes that nobody looks at, all racks being free. */
  void warmUp(List<Arrival> arrivals) throws IOException, InterruptedException {
    play(Placement.STOCK, 0, new Round(settings, HotSchedule.idle(), arrivals));
  }

  /** Runs one round, reads everything back and deletes it. */
  RoundOutcome play(Placement policy, int pair, Round round)
      throws IOException, InterruptedException {
    cluster.placeBy(policy.policyClass());
    String directory = "/demo/" + policy.label() + "-" + pair;
    inspector.mkdirs(directory, null, true);
    long fallbacksBefore = cluster.fallbacks();
    Round.Trace trace = round.run(this, directory);
    long fallbacks = cluster.fallbacks() - fallbacksBefore;
    Inspection inspection = Inspection.of(inspector, cluster, settings.nodes(), trace.files());
    inspector.delete(directory, true);
    return new RoundOutcome(
        policy,
        pair,
        trace.blocks(),
        trace.files().stream().mapToDouble(WrittenFile::seconds).toArray(),
        trace.windows(),
        trace.backgroundLoad(),
        inspection.placedBytes(),
        inspection.verifiedBytes(),
        fallbacks);
  }

  @Override
  public void close() throws IOException {
    background.close();
    inspector.close();
    writers.close();
    cluster.close();
  }
}
