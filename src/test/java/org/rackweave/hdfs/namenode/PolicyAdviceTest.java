package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;

class PolicyAdviceTest {
  @Test
  void findsWhateverNamesOurClasses() {
    HdfsConfiguration conf = new HdfsConfiguration();
    assertEquals(Map.of(), PolicyAdvice.oursIn(conf));
    Map<String, String> ours =
        Map.of(
            "dfs.net.topology.impl", "org.rackweave.hdfs.namenode.ReadOrderTopology",
            "dfs.namenode.plugins", "a.B,org.rackweave.hdfs.namenode.RackweaveNameNodePlugin",
            "dfs.block.replicator.classname", PolicyAdvice.SINBAD,
            "rpc.engine.org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolPB",
                "org.rackweave.hdfs.datanode.HeartbeatRpcEngine",
            "io.erasurecode.codec.rs.rawcoders", "rs_rackweave,rs_java",
            "fs.hdfs.impl", "org.apache.hadoop.hdfs.DegradedReadFileSystem",
            "rackweave.eafr.roles", "named");
    ours.forEach(conf::set);
    conf.set("rackweave.eafr.hosts.provider", "org.rackweave.any");
    assertEquals(ours, PolicyAdvice.oursIn(conf));
  }
}
