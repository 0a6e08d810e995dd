package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RPC;
import org.rackweave.hdfs.Bridge;
import org.rackweave.hdfs.dayu.ReconstructionQueue;
import org.rackweave.hdfs.durability.ReplicaLookup;
import org.rackweave.hdfs.eafr.EafrService;
import org.rackweave.hdfs.ear.EncodingService;

/**
 * All that Rackweave asks of one NameNode and Hadoop keeps to its own packages. What is made here
 * is made anew by each call.
 */
public interface NameNodeBridge extends EncodingService.NameNodeAccess, EafrService.NameNodeAccess {
  /** Makes one; implemented in the bridge. */
  interface Access {
    NameNodeBridge of(NameNode nameNode);
  }

  /** The bridge to a NameNode. */
  static NameNodeBridge of(NameNode nameNode) {
    return Bridge.to(Access.class).of(nameNode);
  }

  /** The blocks that wait for replicas. */
  ReconstructionQueue reconstruction();

  /** Where blocks are. */
  ReplicaLookup replicas();

  /** The client server, and the service server where one is configured. */
  List<RPC.Server> rpcServers();

  /**
   * Lets superusers pass, and everybody where permissions are off. Who is refused is in the audit
   * log.
   *
   * @param operation what the caller wants, for the audit log
   * @throws IOException when the caller whom this thread answers is none
   */
  void checkSuperuser(String operation) throws IOException;

  /**
   * Whether there are files somewhere below a directory, also while the NameNode starts or is a
   * standby; looks at a bounded number of inodes, and says so when it has found none by then.
   *
   * @param child names of the directory's own children that are looked into
   */
  boolean hasFilesBelow(String directory, Predicate<String> child);

  /** Enters safe mode as an operator does, and so until somebody leaves it. */
  void enterSafeMode() throws IOException;
}
