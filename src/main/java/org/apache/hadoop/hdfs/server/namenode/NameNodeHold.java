package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.rackweave.hdfs.LockHolder;
import org.rackweave.hdfs.namenode.NamespaceHold;

/** Bridge: what RPC refuses as long as a NameNode starts. */
public final class NameNodeHold implements NamespaceHold {
  private static final int LOOKED_AT_MAX = 1000;

  @Override
  public boolean hasFilesBelow(NameNode nameNode, String directory, Predicate<String> child) {
    FSNamesystem namesystem = nameNode.getNamesystem();
    namesystem.readLock();
    try {
      INode top = namesystem.getFSDirectory().getINode(directory);
      Deque<INode> open = new ArrayDeque<>();
      for (INode each : children(top)) {
        if (child.test(each.getLocalName())) {
          open.add(each);
        }
      }
      for (int looked = 0; !open.isEmpty(); looked++) {
        INode next = open.removeLast();
        if (next.isFile() || looked == LOOKED_AT_MAX) {
          return true;
        }
        for (INode each : children(next)) {
          if (each.isFile() || open.size() == LOOKED_AT_MAX) {
            return true;
          }
          open.addLast(each);
        }
      }
      return false;
    } catch (IOException e) {
      return false; // there is no such directory
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
  }

  private static Iterable<INode> children(INode inode) {
    return inode != null && inode.isDirectory()
        ? inode.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID)
        : List.of();
  }

  @Override
  public void enterSafeMode(NameNode nameNode) throws IOException {
    nameNode.getNamesystem().enterSafeMode(false);
  }
}
