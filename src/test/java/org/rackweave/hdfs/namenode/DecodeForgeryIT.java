package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.net.SocketFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionRequestProto;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolPB;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.AgentKeys;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.PiggybackField;
import org.rackweave.hdfs.degraded.Decoders;
import org.rackweave.hdfs.degraded.NameNodeQuery;
import org.rackweave.hdfs.ear.EncodedStripes;
import org.rackweave.hdfs.ear.EncodingAdmin;
import org.rackweave.hdfs.work.Task;
import org.rackweave.hdfs.work.WorkCodec;

/** What others than registered DataNodes say of who decodes. */
@Tag("newest-hadoop")
class DecodeForgeryIT {
  private static final String USERS_OWN = "user." + Decoders.NAME;

  /** Connects from another address than the DataNodes, which are all at 127.0.0.1. */
  private static final class FromElsewhere extends SocketFactory {
    @Override
    public Socket createSocket() throws IOException {
      Socket socket = new Socket();
      socket.bind(new InetSocketAddress("127.0.0.2", 0));
      return socket;
    }

    @Override
    public Socket createSocket(String host, int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
      throw new UnsupportedOperationException();
    }
  }

  private static DatanodeProtocolPB proxy(RackCluster cluster, SocketFactory sockets)
      throws IOException {
    Configuration conf = new Configuration(cluster.fs().getConf());
    return new ProtobufRpcEngine2()
        .getProxy(
            DatanodeProtocolPB.class,
            RPC.getProtocolVersion(DatanodeProtocolPB.class),
            cluster.mini().getNameNode().getNameNodeAddress(),
            UserGroupInformation.getCurrentUser(),
            conf,
            sockets,
            0,
            null,
            null,
            null)
        .getProxy();
  }

  private static byte[] ask(DatanodeProtocolPB nameNode, NameNodeQuery question)
      throws ServiceException {
    ByteString answer =
        PiggybackField.find(
            nameNode
                .versionRequest(
                    null,
                    PiggybackField.attach(
                        VersionRequestProto.getDefaultInstance(), question.toBytes()))
                .getUnknownFields());
    return answer == null ? null : answer.toByteArray();
  }

  private static List<DatanodeID> decoders(RackCluster cluster, Path file) {
    try {
      return Decoders.decode(cluster.fs().getXAttr(file, Decoders.ATTRIBUTE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String stripes() {
    return RefreshRegistry.defaultRegistry()
        .dispatch(EncodingAdmin.IDENTIFIER, new String[] {"stripes"})
        .iterator()
        .next()
        .getMessage();
  }

  @Test
  void onlyRegisteredDataNodesSayThatTheyDecodeAndWhere() throws Exception {
    try (RackCluster cluster = RackCluster.start(EarEncodingIT.conf(), 1, 1).awaitCoverage()) {
      Path file = cluster.write("/file", 1, 2);
      RackCluster.await("both decode", () -> decoders(cluster, file).size() == 2);
      List<DatanodeID> before = List.copyOf(decoders(cluster, file));
      String uuid = before.get(0).getDatanodeUuid();
      int port = before.get(0).getXferPort();

      DatanodeProtocolPB near = proxy(cluster, SocketFactory.getDefault());
      for (int i = 0; i < 100; i++) {
        assertNull(ask(near, new NameNodeQuery.Announcement(UUID.randomUUID().toString(), 7)));
      }
      DatanodeProtocolPB elsewhere = proxy(cluster, new FromElsewhere());
      assertNull(ask(elsewhere, new NameNodeQuery.Announcement(uuid, 7)));
      RackCluster.await("it is ready", () -> stripes().contains("\"figures\""));
      assertTrue(stripes().contains("\"datanodes_that_decode_for_clients\" : 2"), stripes());
      assertEquals(
          port,
          decoders(cluster, file).stream()
              .filter(one -> one.getDatanodeUuid().equals(uuid))
              .findFirst()
              .orElseThrow()
              .getXferPort());
      assertEquals(
          0, ask(near, new NameNodeQuery.Announcement(uuid, port)).length, "itself is heard");

      // What a user writes is not what the NameNode says, old clients' question included.
      byte[] own = "evil 127.0.0.1 localhost 7\n".getBytes(StandardCharsets.UTF_8);
      cluster.fs().setXAttr(file, USERS_OWN, own);
      assertEquals(2, Decoders.decode(cluster.fs().getXAttr(file, USERS_OWN)).size());
      assertThrows(IOException.class, () -> cluster.fs().setXAttr(file, Decoders.ATTRIBUTE, own));
    }
  }

  @Test
  void onlyTheRegisteredDataNodeIsToldHowABlockIsGotAt() throws Exception {
    Configuration conf = EarEncodingIT.conf();
    conf.set(ConfigKeys.MODE, "active");
    conf.set(ConfiguredRules.CODES, "/warehouse=rs-3-2");
    conf.set(ConfigKeys.PAPER, "ear.rack-limit=1");
    try (RackCluster cluster = RackCluster.start(conf, 1, 1, 1, 1, 1, 1).awaitCoverage()) {
      Path file = new Path("/warehouse/file");
      DFSTestUtil.createFile(cluster.fs(), file, 6L * RackCluster.BLOCK_BYTES, (short) 3, 1);
      EncodedStripes encoded = cluster.context().stripes().encoded();
      RackCluster.await("encoded", () -> encoded.stripeCount() > 0);
      ExtendedBlock block =
          DFSTestUtil.getAllBlocks(cluster.fs(), file).stream()
              .map(LocatedBlock::getBlock)
              .filter(one -> encoded.of(one.getBlockId()).isPresent())
              .findFirst()
              .orElseThrow();
      String uuid = cluster.mini().getDataNodes().get(0).getDatanodeUuid();
      NameNodeQuery.Recipe asked = NameNodeQuery.Recipe.of(uuid, block, List.of());
      DatanodeProtocolPB near = proxy(cluster, SocketFactory.getDefault());
      DatanodeProtocolPB elsewhere = proxy(cluster, new FromElsewhere());
      assertNull(ask(elsewhere, asked), "another machine's");
      assertNull(
          ask(near, NameNodeQuery.Recipe.of(UUID.randomUUID().toString(), block, List.of())),
          "nobody's");
      byte[] answer = ask(near, asked);
      assertTrue(asked.isAnsweredBy(task(answer)), "its own");
    }
  }

  private static Task task(byte[] answer) throws IOException {
    return WorkCodec.reply(answer).orders().get(0).task();
  }

  @Test
  void dataNodesOfAMachineDecodeAtPortsOfTheirOwn() throws Exception {
    Configuration conf = EarEncodingIT.conf();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      conf.set(AgentKeys.DECODE_ADDRESS, "127.0.0.1:" + taken.getLocalPort());
      try (RackCluster cluster = RackCluster.start(conf, 1, 1)) {
        Path file = cluster.write("/file", 1, 2);
        RackCluster.await("both decode", () -> decoders(cluster, file).size() == 2);
        Set<Integer> ports =
            decoders(cluster, file).stream()
                .map(DatanodeID::getXferPort)
                .collect(Collectors.toSet());
        assertEquals(2, ports.size(), ports::toString);
        assertFalse(ports.contains(taken.getLocalPort()), ports::toString);
      }
    }
  }

  /** Where no NameNode answers for itself the attribute is the user's own. */
  @Test
  void aUsersOwnAttributeSendsNobodyAnywhere() throws Exception {
    Configuration conf = RackCluster.stockConf();
    conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_MAX_BLOCK_ACQUIRE_FAILURES_KEY, 1);
    conf.setInt(HdfsClientConfigKeys.Retry.WINDOW_BASE_KEY, 10);
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    try (RackCluster cluster = RackCluster.start(conf, 1);
        ServerSocket evil = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Path file = cluster.write("/file", 1, 1);
      String where = "evil 127.0.0.1 localhost " + evil.getLocalPort() + "\n";
      cluster.fs().setXAttr(file, USERS_OWN, where.getBytes(StandardCharsets.UTF_8));
      cluster.mini().stopDataNode(0);
      evil.setSoTimeout(1);
      try (FileSystem fs =
          FileSystem.newInstance(
              cluster.fs().getUri(), DegradedReadIT.decoding(cluster.fs().getConf()))) {
        Thread reader =
            new Thread(
                () -> assertThrows(IOException.class, () -> DFSTestUtil.readFileAsBytes(fs, file)));
        reader.setDaemon(true);
        reader.start();
        while (reader.isAlive()) {
          assertThrows(SocketTimeoutException.class, evil::accept);
        }
        assertThrows(SocketTimeoutException.class, evil::accept);
      }
    }
  }
}
