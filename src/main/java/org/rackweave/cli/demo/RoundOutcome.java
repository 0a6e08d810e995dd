package org.rackweave.cli.demo;

import java.util.List;
import org.rackweave.cli.experiment.BlockWrite;
import org.rackweave.cli.experiment.LinkWindow;

/**
 * Everything measured in one round.
 *
 * @param policy who placed the blocks
 * @param pair which of the repeated rounds, from 0
 * @param blocks every block of the round's files
 * @param fileSeconds how long each file took, from create to close
 * @param windows what the DataNodes received; those with writes in them only matter for the figures
 * @param backgroundLoad what background load took of the links it was on, as a fraction
 * @param placedBytes bytes of the round's replicas, by DataNode
 * @param verifiedBytes bytes read back whose checksum was right
 * @param fallbacks decisions Sinbad left to stock placement, 0 for stock rounds
 */
public record RoundOutcome(
    Placement policy,
    int pair,
    List<BlockWrite> blocks,
    double[] fileSeconds,
    List<LinkWindow> windows,
    double backgroundLoad,
    long[] placedBytes,
    long verifiedBytes,
    long fallbacks) {}
