package org.rackweave.cli.experiment;

import java.util.List;

/**
 * What was measured while one policy placed one sequence of writes.
 *
 * @param blocks every block that was written
 * @param windows what the DataNodes received while writes began; before and after, every policy
 *     sees nothing but background load
 * @param backgroundLoad what background load took of the links it was on, as a fraction
 * @param placedBytes bytes of replicas, by DataNode
 * @param verifiedBytes bytes read back that were what had been written
 * @param fallbacks decisions Rackweave left to stock placement, 0 where stock was to decide
 */
public record WriteRun(
    List<BlockWrite> blocks,
    List<LinkWindow> windows,
    double backgroundLoad,
    long[] placedBytes,
    long verifiedBytes,
    long fallbacks) {}
