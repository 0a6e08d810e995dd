package org.apache.hadoop.hdfs.server.namenode;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.rackweave.hdfs.InodePath;
import org.rackweave.hdfs.LockHolder;
import org.rackweave.hdfs.ear.FactorRaise;

/**
 * Bridge: raises the factor of a file, over its quota if need be. Replicas that a file had before
 * it was encoded must not be refused to it when its stripe is given up, least of all because of
 * what others do; who is over quota then just writes nothing new.
 */
public final class QuotaFreeReplication implements FactorRaise {
  @Override
  public boolean raise(NameNode nameNode, long fileId, int replication) throws IOException {
    FSNamesystem namesystem = nameNode.getNamesystem();
    FSDirectory directory = namesystem.getFSDirectory();
    boolean isRaised;
    namesystem.writeLock();
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      namesystem.checkNameNodeSafeMode("Cannot raise the replication of inode " + fileId);
      // The write lock keeps all others out who would ask for quota.
      directory.disableQuotaChecks();
      isRaised =
          FSDirAttrOp.setReplication(
              directory,
              namesystem.getPermissionChecker(),
              namesystem.getBlockManager(),
              InodePath.of(fileId),
              (short) replication);
    } catch (FileNotFoundException e) {
      return false;
    } finally {
      directory.enableQuotaChecks();
      namesystem.writeUnlock(LockHolder.NAME);
    }
    namesystem.getEditLog().logSync();
    return isRaised;
  }
}
