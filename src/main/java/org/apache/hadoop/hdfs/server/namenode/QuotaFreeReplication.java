package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import org.rackweave.hdfs.ear.FactorRaise;

/**
 * Bridge: raises the factor of a file, over its quota if need be. Replicas that a file had before
 * it was encoded must not be refused to it when its stripe is given up, least of all because of
 * what others do; who is over quota then just writes nothing new. Nor must they be refused because
 * {@code dfs.replication.max} has become less since: the file gets as many as it may have.
 */
public final class QuotaFreeReplication implements FactorRaise {
  @Override
  public boolean raise(NameNode nameNode, long fileId, int replication) throws IOException {
    return CurrentFiles.change(
        nameNode, fileId, file -> file != null && raise(nameNode, file, replication));
  }

  /**
   * Only an active NameNode gets here, which checks quotas; one that replays edits must never begin
   * to. The write lock keeps all others out who would ask for quota.
   */
  private static boolean raise(NameNode nameNode, INodeFile file, int replication)
      throws IOException {
    FSDirectory directory = nameNode.getNamesystem().getFSDirectory();
    boolean wasChecking = !directory.shouldSkipQuotaChecks();
    directory.disableQuotaChecks();
    try {
      int most = nameNode.getNamesystem().getBlockManager().maxReplication;
      return CurrentFiles.setReplication(nameNode, file, Math.min(replication, most));
    } finally {
      if (wasChecking) {
        directory.enableQuotaChecks();
      }
    }
  }
}
