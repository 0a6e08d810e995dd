package org.rackweave.hdfs.ear;

import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.rackweave.hdfs.Bridge;

/**
 * How encoding reaches its NameNode, asked once when that starts. Tests set another that stops work
 * at a call of their choice, to see what a crash there leaves.
 */
class NameNodeCalls {
  private static volatile NameNodeCalls instance = new NameNodeCalls();

  static NameNodeCalls get() {
    return instance;
  }

  static void set(NameNodeCalls other) {
    instance = other;
  }

  /** What clients ask of it. */
  NamenodeProtocols protocol(NameNode nameNode) {
    return nameNode.getRpcServer();
  }

  /** Its memory of blocks and files. */
  BlockLookup lookup(NameNode nameNode) {
    return Bridge.to(BlockLookup.Access.class).of(nameNode);
  }

  /** What raises the factors of its files. */
  FactorRaise factors() {
    return Bridge.to(FactorRaise.class);
  }
}
