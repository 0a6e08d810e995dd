package org.rackweave.health;

import java.util.List;
import java.util.Map;

/**
 * What is known around one NameNode that is not looked at all the time.
 *
 * @param isPlacing whether placement is not off
 * @param isCopying whether recovery or heat is active, so that replicas are copied
 * @param policy the placement policy where it is none of Rackweave's, empty otherwise
 * @param clocks DataNodes that tell their time
 * @param clocksOffMs by place, how far those are ahead of the NameNode that are {@link
 *     DoctorChecks#CLOCK_OFF_MS} off or more; negative where behind
 * @param hadoop the NameNode's version of Hadoop
 * @param datanodes how many DataNodes have which version
 * @param movers files in HDFS by which a Balancer or a Mover says that it runs
 * @param linkBytesPerSec of the DataNode in the middle, 0 where unknown
 * @param requests for targets since the start
 * @param smallBlocks of these were left to stock HDFS because the block is small
 * @param settings HDFS's, by key
 */
public record DoctorFacts(
    boolean isPlacing,
    boolean isCopying,
    String policy,
    int clocks,
    Map<String, Long> clocksOffMs,
    String hadoop,
    Map<String, Integer> datanodes,
    List<String> movers,
    double linkBytesPerSec,
    long requests,
    long smallBlocks,
    Map<String, Double> settings) {}
