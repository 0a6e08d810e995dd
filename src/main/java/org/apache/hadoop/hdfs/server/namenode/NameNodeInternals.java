package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeBlocks;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeCopies;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeFiles;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeMoves;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeReconstruction;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeReplicas;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeSleep;
import org.apache.hadoop.hdfs.server.blockmanagement.SourceQueue;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.ipc.RPC;
import org.rackweave.hdfs.LockHolder;
import org.rackweave.hdfs.dayu.ReconstructionQueue;
import org.rackweave.hdfs.durability.ReplicaLookup;
import org.rackweave.hdfs.eafr.FactorChange;
import org.rackweave.hdfs.eafr.FileLookup;
import org.rackweave.hdfs.eafr.ReplicaMoves;
import org.rackweave.hdfs.eafr.WaitingCopies;
import org.rackweave.hdfs.ear.BlockLookup;
import org.rackweave.hdfs.namenode.NameNodeBridge;
import org.rackweave.hdfs.roles.SleepLookup;

/** Bridge: one NameNode, with what it shows to its own packages only. */
public final class NameNodeInternals implements NameNodeBridge {
  private static final int LOOKED_AT_MAX = 1000;

  /** Named in {@code META-INF/services}. */
  public static final class Access implements NameNodeBridge.Access {
    @Override
    public NameNodeBridge of(NameNode nameNode) {
      return new NameNodeInternals(nameNode);
    }
  }

  private final NameNode nameNode;
  private final SourceQueue queue = new SourceQueue();

  private NameNodeInternals(NameNode nameNode) {
    this.nameNode = nameNode;
  }

  @Override
  public NamenodeProtocols protocol() {
    return nameNode.getRpcServer();
  }

  @Override
  public BlockLookup blocks() {
    return new NameNodeBlocks(nameNode);
  }

  @Override
  public FileLookup files() {
    return new NameNodeFiles(nameNode);
  }

  @Override
  public FactorChange factors() {
    return new MarkedReplication(nameNode);
  }

  @Override
  public ReplicaMoves moves() {
    return new NameNodeMoves(nameNode);
  }

  @Override
  public WaitingCopies copies() {
    return new NameNodeCopies(nameNode.getNamesystem().getBlockManager(), queue);
  }

  @Override
  public SleepLookup sleep() {
    return new NameNodeSleep(nameNode);
  }

  @Override
  public ReconstructionQueue reconstruction() {
    return new NameNodeReconstruction(nameNode, queue);
  }

  @Override
  public ReplicaLookup replicas() {
    return new NameNodeReplicas(nameNode);
  }

  @Override
  public List<RPC.Server> rpcServers() {
    NameNodeRpcServer rpc = (NameNodeRpcServer) nameNode.getRpcServer();
    List<RPC.Server> servers = new ArrayList<>(2);
    servers.add(rpc.getClientRpcServer());
    if (rpc.getServiceRpcServer() != null) {
      servers.add(rpc.getServiceRpcServer());
    }
    return servers;
  }

  @Override
  public void checkSuperuser(String operation) throws IOException {
    nameNode.getNamesystem().checkSuperuserPrivilege(operation);
  }

  @Override
  public boolean hasFilesBelow(String directory, Predicate<String> child) {
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
  public void enterSafeMode() throws IOException {
    nameNode.getNamesystem().enterSafeMode(false);
  }
}
