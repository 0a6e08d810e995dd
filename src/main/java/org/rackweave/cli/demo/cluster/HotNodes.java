package org.rackweave.cli.demo.cluster;

/** Who has a slow link at this moment. DataNodes are numbered from 0, rack by rack. */
public interface HotNodes {

  /** The DataNode that has {@code address}, -1 if none has. */
  int nodeAt(String address);

  /** Whether DataNode {@code node} carries background load. */
  boolean isHot(int node);
}
