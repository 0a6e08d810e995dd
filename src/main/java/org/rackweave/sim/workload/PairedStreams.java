package org.rackweave.sim.workload;

import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Streams that yield to nobody, as of UDP, from every other node to the one after it (EAR,
 * experiment A.1: "we group our 12 slave machines into six pairs").
 */
public final class PairedStreams implements Workload {
  private final int nodes;
  private final double bytesPerSec;

  /**
   * @param nodes of the cluster; the last of an odd number has no partner
   * @param bytesPerSec of each pair, at least 0
   */
  public PairedStreams(int nodes, double bytesPerSec) {
    this.nodes = nodes;
    this.bytesPerSec = bytesPerSec;
  }

  @Override
  public Stream<StoredFile> storedFiles() {
    return Stream.empty();
  }

  @Override
  public Stream<TimedRequest> requests() {
    return IntStream.range(0, nodes / 2 * 2).mapToObj(this::load);
  }

  private TimedRequest load(int node) {
    boolean sends = node % 2 == 0;
    return new TimedRequest.NodeLoad(0, node, sends ? 0 : bytesPerSec, sends ? bytesPerSec : 0);
  }
}
