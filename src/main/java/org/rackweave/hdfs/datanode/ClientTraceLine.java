package org.rackweave.hdfs.datanode;

/**
 * Takes apart the line a DataNode logs when it has served a read:
 *
 * <pre>src: 10.0.0.1:9866, dest: 10.0.0.2:52330, volume: , bytes: 66048, op: HDFS_READ, cliID: c,
 * offset: 0, srvID: uuid, blockid: BP-1-10.0.0.3-1:blk_1073741825_1001, duration(ns): 7</pre>
 *
 * <p>The client chooses its cliID, so what follows it is looked for from the end.
 *
 * @param datanodeUuid the DataNode that served the read
 * @param blockPool of the block: ids of two namespaces are equal
 * @param blockId the block read
 */
record ClientTraceLine(String datanodeUuid, String blockPool, long blockId) {
  private static final String READ = ", op: HDFS_READ, cliID: ";
  private static final String SERVER = ", srvID: ";
  private static final String BLOCK = ", blockid: ";
  private static final String BLOCK_PREFIX = ":blk_";

  /** Reads one line; null when it tells of something else than a read. */
  static ClientTraceLine parse(String line) {
    int blockAt = line.lastIndexOf(BLOCK);
    int serverAt = line.lastIndexOf(SERVER, blockAt);
    int prefixAt = line.indexOf(BLOCK_PREFIX, blockAt);
    if (!line.contains(READ) || blockAt < 0 || serverAt < 0 || prefixAt < 0) {
      return null;
    }
    int idAt = prefixAt + BLOCK_PREFIX.length();
    int idEnd = line.indexOf('_', idAt);
    if (idEnd < 0) {
      return null;
    }
    try {
      long blockId = Long.parseLong(line, idAt, idEnd, 10);
      return new ClientTraceLine(
          line.substring(serverAt + SERVER.length(), blockAt),
          line.substring(blockAt + BLOCK.length(), prefixAt),
          blockId);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
