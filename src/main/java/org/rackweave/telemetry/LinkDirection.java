package org.rackweave.telemetry;

/** Direction of traffic on a link, seen from the DataNode or the rack. */
public enum LinkDirection {
  RX,
  TX
}
