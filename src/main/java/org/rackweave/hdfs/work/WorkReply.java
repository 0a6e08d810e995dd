package org.rackweave.hdfs.work;

import java.util.List;

/**
 * What a NameNode wants of a DataNode from now on. An order that is in neither list is not wanted
 * any more: the DataNode breaks it off and forgets it, so that orders need no cancellation, and a
 * NameNode that starts or takes over leaves none behind.
 *
 * @param orders those the DataNode has not yet said it has
 * @param wanted ids of the others
 */
public record WorkReply(List<WorkOrder> orders, List<Long> wanted) {

  public WorkReply {
    orders = List.copyOf(orders);
    wanted = List.copyOf(wanted);
  }

  /** Whether an order is still to be done or its report to be kept. */
  public boolean wants(long id) {
    return wanted.contains(id) || orders.stream().anyMatch(order -> order.id() == id);
  }
}
