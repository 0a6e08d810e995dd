package org.rackweave.hdfs.roles;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.rackweave.hdfs.LockHolder;

/**
 * Keeps servers' roles in the namespace itself: an empty directory for each server that is cold or
 * drawn as standby, so that a change is one edit and every NameNode has it with the image. A third
 * of 25,000 DataNodes are a few megabytes of a NameNode's memory. Readable by the superuser only.
 *
 * <p>Reading works on every NameNode, writing on an active one out of safe mode. For one thread.
 */
final class RoleStore {
  private static final FsPermission SUPERUSER_ONLY = new FsPermission((short) 0700);
  private static final String COLD = "cold";
  private static final String STANDBY = "standby";

  /** However often nothing seems to have changed, it is looked again after so many times. */
  private static final int LOOKS_MAX = 40;

  private final FSNamesystem namesystem;
  private final NamenodeProtocols nameNode;
  private final String directory;

  private RoleRecords known;
  private String changed = "";
  private int looks;

  RoleStore(NameNode nameNode, String directory) {
    namesystem = nameNode.getNamesystem();
    this.nameNode = nameNode.getRpcServer();
    this.directory = directory;
  }

  /** All records as they are now; the same object as long as they seem to be the same. */
  RoleRecords read() {
    String before = changed;
    namesystem.readLock();
    try {
      changed = stamp(COLD) + ' ' + stamp(STANDBY);
      if (known != null && changed.equals(before) && ++looks < LOOKS_MAX) {
        return known;
      }
      looks = 0;
      RoleRecords now = new RoleRecords(cold(), standby());
      known = now.equals(known) ? known : now;
      return known;
    } catch (IOException e) {
      changed = "";
      throw new IllegalStateException("roles cannot be read from " + directory, e);
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
  }

  /** Changes with every record that comes or goes, but for two in a millisecond. */
  private String stamp(String kind) throws IOException {
    INode inode = directoryOf(kind);
    return inode == null ? "-" : inode.getId() + "@" + inode.getModificationTime();
  }

  private INode directoryOf(String kind) throws IOException {
    INode inode =
        namesystem.getFSDirectory().getINode(directory + '/' + kind, FSDirectory.DirOp.READ);
    return inode != null && inode.isDirectory() ? inode : null;
  }

  private Map<String, ColdServer> cold() throws IOException {
    Map<String, ColdServer> cold = new HashMap<>();
    for (String name : names(COLD)) {
      ColdServer.parse(name).ifPresent(server -> cold.put(server.uuid(), server));
    }
    return cold;
  }

  private Set<String> standby() throws IOException {
    return names(STANDBY);
  }

  private Set<String> names(String kind) throws IOException {
    Set<String> names = new HashSet<>();
    INode inode = directoryOf(kind);
    if (inode != null) {
      for (INode child : inode.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID)) {
        names.add(child.getLocalName());
      }
    }
    return names;
  }

  /**
   * @throws IOException when this NameNode may not write, and nothing has changed
   */
  void addCold(ColdServer server) throws IOException {
    make(COLD, server.recordName());
  }

  void removeCold(ColdServer server) throws IOException {
    nameNode.delete(directory + '/' + COLD + '/' + server.recordName(), true);
  }

  void addStandby(String uuid) throws IOException {
    make(STANDBY, uuid);
  }

  void removeStandby(String uuid) throws IOException {
    nameNode.delete(directory + '/' + STANDBY + '/' + uuid, true);
  }

  private void make(String kind, String name) throws IOException {
    nameNode.mkdirs(directory, SUPERUSER_ONLY, true);
    nameNode.mkdirs(directory + '/' + kind + '/' + name, SUPERUSER_ONLY, true);
  }
}
