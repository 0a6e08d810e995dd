package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.net.URI;
import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.EditLogFileInputStream;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOpCodes;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.junit.jupiter.api.Test;
import org.rackweave.Nightly;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ear.EncodingAdmin;

/** What encoding writes to the edit log, which every client waits for. */
class EarEditLogIT {
  private static final int FILES = 12;
  private static final int WHOLE_BLOCKS = 3;
  private static final long SEED = 20261123;

  /** Directory, attribute, concat, rename, directory deleted. */
  private static final int OPERATIONS_A_STRIPE = 5;

  /** Created, block id, generation stamp, block, closed. */
  private static final int OPERATIONS_A_PARITY_BLOCK = 5;

  /** Directories of parity, of the term and of the code, whatever the number of stripes. */
  private static final int OPERATIONS_ONCE = 6;

  @Nightly
  @Test
  void aStripeCostsFiveOperationsAndFiveAParityBlock() throws Exception {
    Configuration conf = EncodedWarehouse.conf();
    conf.setInt(ConfigKeys.EAR_ENCODE_CONCURRENT, 0);
    try (RackCluster cluster = RackCluster.start(EncodedWarehouse.cluster(conf)).awaitCoverage()) {
      EncodedWarehouse warehouse =
          new EncodedWarehouse(cluster.fs(), () -> cluster.mini().getNameNode(), SEED);
      warehouse.write(FILES, WHOLE_BLOCKS);
      long first = roll(cluster);
      ask("encode", "path=" + EncodedWarehouse.DIRECTORY);
      warehouse.awaitSound("encoded");
      int stripes = warehouse.encoded().stripeCount();
      long shrunk = cluster.context().stripes().counts().filesShrunk();
      long last = roll(cluster) - 1;
      Map<FSEditLogOpCodes, Integer> operations = operations(cluster, first, last);
      int all = operations.values().stream().mapToInt(Integer::intValue).sum();
      System.out.println(stripes + " stripes, " + shrunk + " files shrunk: " + operations);
      assertTrue(stripes > FILES / 2, "only " + stripes + " stripes");
      int parityBlocks = stripes * EncodedWarehouse.PARITY_BLOCKS;
      long most =
          (long) stripes * OPERATIONS_A_STRIPE
              + (long) parityBlocks * OPERATIONS_A_PARITY_BLOCK
              + shrunk
              + OPERATIONS_ONCE;
      assertTrue(all <= most, all + " operations, more than " + most + ": " + operations);
      assertEquals(stripes, operations.get(FSEditLogOpCodes.OP_SET_XATTR));
    }
  }

  private static String ask(String... args) {
    return RefreshRegistry.defaultRegistry()
        .dispatch(EncodingAdmin.IDENTIFIER, args)
        .iterator()
        .next()
        .getMessage();
  }

  /** Begins another file of the edit log, and tells its first operation. */
  private static long roll(RackCluster cluster) throws Exception {
    return cluster.mini().getNameNode().getRpcServer().rollEdits();
  }

  private static Map<FSEditLogOpCodes, Integer> operations(
      RackCluster cluster, long first, long last) throws Exception {
    URI directory = cluster.mini().getNameDirs(0).iterator().next();
    File file =
        new File(new File(directory), String.format("current/edits_%019d-%019d", first, last));
    Map<FSEditLogOpCodes, Integer> operations = new EnumMap<>(FSEditLogOpCodes.class);
    try (EditLogFileInputStream in = new EditLogFileInputStream(file, first, last, false)) {
      for (FSEditLogOp each = in.readOp(); each != null; each = in.readOp()) {
        operations.merge(each.opCode, 1, Integer::sum);
      }
    }
    operations.remove(FSEditLogOpCodes.OP_START_LOG_SEGMENT);
    operations.remove(FSEditLogOpCodes.OP_END_LOG_SEGMENT);
    return operations;
  }
}
