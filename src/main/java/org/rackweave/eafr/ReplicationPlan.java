package org.rackweave.eafr;

import java.util.List;
import java.util.Map;

/**
 * What would change, in the order in which it should, and what would not.
 *
 * @param heldBack of the other hot and cold files how many are left for which reason
 * @param copies blocks that all changes together copy
 * @param extraBytes bytes in replicas beyond own factors that they add
 */
public record ReplicationPlan(
    List<FileChange> changes, Map<HeldBack, Integer> heldBack, long copies, long extraBytes) {}
