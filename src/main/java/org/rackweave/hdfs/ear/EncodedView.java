package org.rackweave.hdfs.ear;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.EarConfig;

/**
 * What a NameNode knows of encoded stripes and of where their blocks are.
 *
 * @param config the settings in force
 * @param lookup its memory of blocks and files
 * @param encoded the stripes
 * @param withheld what keeps deleted blocks that stripes count on
 * @param isComplete whether all encoded stripes are known, and not only some
 * @param cluster the DataNodes
 */
record EncodedView(
    Supplier<EarConfig> config,
    BlockLookup lookup,
    EncodedStripes encoded,
    WithheldReplicas withheld,
    BooleanSupplier isComplete,
    Supplier<ClusterView> cluster) {}
