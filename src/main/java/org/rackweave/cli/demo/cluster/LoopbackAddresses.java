package org.rackweave.cli.demo.cluster;

/**
 * The addresses of an embedded cluster. Linux answers on all of 127.0.0.0/8, so each DataNode and
 * each client outside the cluster gets an address of its own and HDFS tells them apart exactly as
 * it tells real hosts apart: {@code 127.10.<rack + 1>.<node + 1>}, rack 0 of the third octet being
 * outside the cluster.
 */
public final class LoopbackAddresses {

  private static final String PREFIX = "127.10.";

  private LoopbackAddresses() {}

  /** The address of DataNode {@code node} (from 0) of rack {@code rack} (from 0). */
  public static String ofNode(int rack, int node) {
    return PREFIX + (rack + 1) + "." + (node + 1);
  }

  /** The address of the client outside the cluster with number {@code client} (from 0). */
  public static String ofOutsider(int client) {
    return PREFIX + "0." + (client + 1);
  }

  /** The rack (from 0) an address belongs to, -1 if it is not a DataNode's. */
  public static int rackOf(String address) {
    if (!address.startsWith(PREFIX)) {
      return -1;
    }
    int dot = address.indexOf('.', PREFIX.length());
    if (dot < 0) {
      return -1;
    }
    try {
      return Integer.parseInt(address.substring(PREFIX.length(), dot)) - 1;
    } catch (NumberFormatException notOurs) {
      return -1;
    }
  }
}
