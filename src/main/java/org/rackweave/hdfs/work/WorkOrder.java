package org.rackweave.hdfs.work;

/**
 * What one DataNode is to do.
 *
 * @param id never given twice by a NameNode
 * @param task what to do
 */
public record WorkOrder(long id, Task task) {}
