package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.admin.NameNodeAdmin;
import org.rackweave.cli.ear.JobView;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.datanode.ClientStripeWork;
import org.rackweave.hdfs.work.EncodeTask;
import org.rackweave.hdfs.work.WorkCodec;
import org.rackweave.hdfs.work.WorkOrder;
import org.rackweave.hdfs.work.WorkReply;
import org.rackweave.hdfs.work.WorkReport;
import org.rackweave.hdfs.work.WorkResult;

/** Stripes encoded outside HDFS with block tokens that came with the work. */
class EncodeTokensIT {
  private static final int FILES = 8;
  private static final List<String> RACKS = List.of("/r0", "/r1", "/r2", "/r3");

  private static Configuration conf() {
    Configuration conf = EarEncodingIT.conf();
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    conf.set(ConfiguredRules.CODES, "/warehouse=rs-2-1");
    conf.setInt(ConfigKeys.EAR_ENCODE_CONCURRENT, 0);
    conf.set(ConfigKeys.EAR_SEAL_AGE, "1d");
    return conf;
  }

  /** What there is to do in a rack, having said what became of the rest. */
  private static List<WorkOrder> fetch(
      NameNodeAdmin nameNode, String rack, Map<Long, WorkReport> said) throws IOException {
    WorkReply reply =
        WorkCodec.reply(nameNode.work(rack, WorkCodec.encode(List.copyOf(said.values()))));
    said.keySet().removeIf(id -> !reply.wants(id));
    return reply.orders();
  }

  @Test
  void noTokenPassesALog() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), 2, 2, 2, 2).awaitCoverage();
        NameNodeAdmin nameNode = NameNodeAdmin.connect(cluster.fs().getConf());
        CapturedLog log = new CapturedLog()) {
      for (int file = 0; file < FILES; file++) {
        cluster.write("/warehouse/file" + file, 1, 3);
      }
      ClientStripeWork work = new ClientStripeWork(cluster.fs());
      List<LocatedBlock> blocks = new ArrayList<>();
      Map<String, Map<Long, WorkReport>> reports = new LinkedHashMap<>();
      RACKS.forEach(rack -> reports.put(rack, new LinkedHashMap<>()));

      JobView job = JobView.of(nameNode.ask("encode", "outside=" + String.join(",", RACKS)));
      while (!job.isOver()) {
        for (String rack : RACKS) {
          Map<Long, WorkReport> said = reports.get(rack);
          for (WorkOrder order : fetch(nameNode, rack, said)) {
            EncodeTask task = (EncodeTask) order.task();
            Stream.of(task.data(), task.parity()).forEach(blocks::addAll);
            WorkResult made = work.encode(task, done -> {});
            said.put(order.id(), WorkReport.done(order.id(), 1, made));
          }
        }
        job = JobView.of(nameNode.ask("job", "id=" + job.id()));
      }

      assertTrue(job.isDone(), job::reason);
      assertTrue(cluster.context().stripes().encoded().stripeCount() > 0);
      assertFalse(blocks.isEmpty());
      assertFalse(log.linesWith("responds to 'rackweave-ear'").isEmpty(), "RPC is in the log");
      for (LocatedBlock block : blocks) {
        assertTrue(block.getBlockToken().getPassword().length > 0, "it has a token");
        assertEquals(List.of(), log.linesWith(block.getBlockToken()));
      }

      UserGroupInformation bob =
          UserGroupInformation.createUserForTesting("bob", new String[] {"users"});
      Configuration site = cluster.fs().getConf();
      IOException refusal =
          assertThrows(
              IOException.class,
              () ->
                  bob.doAs(
                      (PrivilegedExceptionAction<byte[]>)
                          () -> {
                            try (NameNodeAdmin bobs = NameNodeAdmin.connect(site)) {
                              return bobs.work("/r0", WorkCodec.encode(List.of()));
                            }
                          }));
      assertTrue(refusal.getMessage().contains("Superuser privilege"), refusal::getMessage);
    }
  }
}
