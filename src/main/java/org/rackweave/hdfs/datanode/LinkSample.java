package org.rackweave.hdfs.datanode;

/**
 * Counters of one link at one moment.
 *
 * @param link what was counted; counters of different links have nothing in common
 * @param rxBytes bytes received, cumulative
 * @param txBytes bytes sent, cumulative
 * @param linkBytesPerSec capacity in one direction; 0 = unknown
 * @param diskWrittenBytes bytes written to the DataNode's disks, cumulative; 0 = unknown
 * @param blockBytesReceived bytes of blocks among those received, cumulative; 0 = unknown
 * @param readers transfers that read from the DataNode
 * @param writers transfers that write to it
 */
record LinkSample(
    String link,
    long rxBytes,
    long txBytes,
    long linkBytesPerSec,
    long diskWrittenBytes,
    long blockBytesReceived,
    int readers,
    int writers) {}
