package org.rackweave.cli.testbed.compare;

import java.util.List;
import org.rackweave.cli.experiment.RecoveryWatch.Missing;

/**
 * One recovery.
 *
 * @param victim name of the host whose DataNode was killed
 * @param blocks blocks that had a replica there
 * @param detectionSeconds from the kill until the NameNode counts the DataNode as dead
 * @param rebuildSeconds from then until every block has all its replicas again
 * @param idealSeconds the least time that takes over the links' idle bandwidth
 * @param missing how many blocks lacked a replica, over time
 * @param before seconds of the foreground writes due before the kill
 * @param during seconds of those due between the kill and the end of the rebuild
 * @param failedWrites foreground writes that failed, or were not done long after the rebuild
 */
record RecoveryRun(
    String victim,
    int blocks,
    double detectionSeconds,
    double rebuildSeconds,
    double idealSeconds,
    List<Missing> missing,
    double[] before,
    double[] during,
    int failedWrites) {}
