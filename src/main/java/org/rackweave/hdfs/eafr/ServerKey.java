package org.rackweave.hdfs.eafr;

import org.apache.hadoop.thirdparty.protobuf.ByteString;

/**
 * A number for a DataNode that stays its as long as it lives, on every NameNode: a hash of its
 * UUID. In a cluster of 25,000 two may share one, and matter only where both have replicas of one
 * block: each then counts as having served the reads of both.
 */
final class ServerKey {
  private static final int PRIME = 31;

  private ServerKey() {}

  /**
   * From what a call's answer says. HDFS makes these bytes anew for every answer, so that their own
   * hash code is never known already, and takes 36 multiplications one after the other; these four
   * sums do not wait for each other.
   */
  static int of(ByteString uuid) {
    int first = 0;
    int second = 0;
    int third = 0;
    int fourth = 0;
    int size = uuid.size();
    int i = 0;
    for (; i + 4 <= size; i += 4) {
      first = PRIME * first + uuid.byteAt(i);
      second = PRIME * second + uuid.byteAt(i + 1);
      third = PRIME * third + uuid.byteAt(i + 2);
      fourth = PRIME * fourth + uuid.byteAt(i + 3);
    }
    for (; i < size; i++) {
      first = PRIME * first + uuid.byteAt(i);
    }
    return mixed(mixed(mixed(mixed(size, first), second), third), fourth);
  }

  private static int mixed(int hash, int sum) {
    int product = (hash ^ sum) * 0x9E3779B1;
    return product ^ product >>> 15;
  }

  static int of(String uuid) {
    return of(ByteString.copyFromUtf8(uuid));
  }
}
