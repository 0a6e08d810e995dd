package org.apache.hadoop.hdfs.server.namenode;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.rackweave.hdfs.InodeMark;
import org.rackweave.hdfs.eafr.FactorChange;
import org.rackweave.hdfs.eafr.FileLookup;

/**
 * Bridge: changes a file's factor and its mark as {@code setReplication} and {@code setXAttr} do,
 * but only if nobody else has changed them meanwhile, which takes one hold of the lock for all of
 * it. The mark is logged first: a NameNode that crashes between the two finds a mark that names the
 * factor the file has.
 */
final class MarkedReplication implements FactorChange {
  private final NameNode nameNode;

  MarkedReplication(NameNode nameNode) {
    this.nameNode = nameNode;
  }

  @Override
  public Result change(long fileId, int from, int to, byte[] markBefore, byte[] markAfter)
      throws IOException {
    try {
      return CurrentFiles.change(
          nameNode, fileId, file -> change(file, from, to, markBefore, markAfter));
    } catch (FileNotFoundException e) {
      return Result.GONE;
    }
  }

  private Result change(INodeFile file, int from, int to, byte[] before, byte[] after)
      throws IOException {
    if (file == null) {
      return Result.GONE;
    }
    if (file.getFileReplication() != from
        || file.isUnderConstruction()
        || !Arrays.equals(InodeMark.valueOf(file, FileLookup.MARK), before)) {
      return Result.CHANGED_MEANWHILE;
    }
    setMark(file, before, after);
    if (to == from) {
      return Result.DONE;
    }
    boolean isDone = false;
    try {
      isDone = CurrentFiles.setReplication(nameNode, file, to);
      return isDone ? Result.DONE : Result.GONE;
    } catch (QuotaExceededException e) {
      return Result.OVER_QUOTA;
    } finally {
      if (!isDone) {
        setMark(file, after, before);
      }
    }
  }

  private void setMark(INodeFile file, byte[] before, byte[] after) throws IOException {
    if (!Arrays.equals(before, after)) {
      CurrentFiles.setMark(nameNode, file, FileLookup.MARK, after);
    }
  }
}
