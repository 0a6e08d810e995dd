package org.rackweave.hdfs.eafr;

import org.apache.hadoop.thirdparty.protobuf.ByteString;

/**
 * A number for a DataNode that stays its as long as it lives, on every NameNode: a hash of its
 * UUID. In a cluster of 25,000 two may share one, and matter only where both have replicas of one
 * block: each then counts as having served the reads of both.
 */
final class ServerKey {
  private ServerKey() {}

  /** From what a call's answer says. */
  static int of(ByteString uuid) {
    return uuid.hashCode();
  }

  static int of(String uuid) {
    return of(ByteString.copyFromUtf8(uuid));
  }
}
