package org.rackweave.eafr;

/**
 * What is there or under way before a plan.
 *
 * @param extraBytes bytes in replicas beyond the files' own factors
 * @param pendingBlocks blocks that HDFS is copying or has to copy
 */
public record WorkInHand(long extraBytes, int pendingBlocks, SpaceQuota quota) {}
