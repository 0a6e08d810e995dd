package org.rackweave.cli.admin;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolClientSideTranslatorPB;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.rackweave.hdfs.ear.EncodingAdmin;
import org.rackweave.hdfs.ear.OutsideWork;

/** The way to Rackweave in the active NameNode of the file system that is configured. */
public final class NameNodeAdmin implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Some commands take minutes. */
  private static final int NO_TIMEOUT = 0;

  /** Of those that ask for what is known, to connect and to be answered. */
  private static final int BRIEF_MS = 10_000;

  private final Configuration conf;
  private final InetSocketAddress address;
  private final GenericRefreshProtocolClientSideTranslatorPB refresh;
  private final String identifier;

  /** {@code null} until it is needed. */
  private ClientNamenodeProtocolPB calls;

  private NameNodeAdmin(
      Configuration conf, InetSocketAddress address, String identifier, int timeoutMs)
      throws IOException {
    this.conf = conf;
    this.address = address;
    this.identifier = identifier;
    refresh =
        new GenericRefreshProtocolClientSideTranslatorPB(
            proxy(GenericRefreshProtocolPB.class, address, conf, timeoutMs));
  }

  /**
   * Connects to who encodes files.
   *
   * @throws IOException when {@code fs.defaultFS} is no HDFS, or its NameNode cannot be reached
   */
  public static NameNodeAdmin connect(Configuration given) throws IOException {
    return connect(given, EncodingAdmin.IDENTIFIER);
  }

  /**
   * Connects.
   *
   * @throws IOException when {@code fs.defaultFS} is no HDFS, or its NameNode cannot be reached
   */
  public static NameNodeAdmin connect(Configuration given, String identifier) throws IOException {
    return connect(given, active(given), identifier);
  }

  /**
   * What the active NameNode answers.
   *
   * @throws IOException when there is none, or with its words when it refuses
   */
  public static ObjectNode askActive(Configuration given, String identifier, String... what)
      throws IOException {
    try (NameNodeAdmin nameNode = connect(given, identifier)) {
      return nameNode.ask(what);
    }
  }

  /**
   * Connects to one NameNode, active or not.
   *
   * @param address one of {@link #addresses}
   */
  public static NameNodeAdmin connect(
      Configuration given, InetSocketAddress address, String identifier) throws IOException {
    return connect(new HdfsConfiguration(given), address, identifier, NO_TIMEOUT);
  }

  /**
   * Connects to one that may be gone, which is soon known then.
   *
   * @param address one of {@link #addresses}
   */
  public static NameNodeAdmin connectBriefly(
      Configuration given, InetSocketAddress address, String identifier) throws IOException {
    Configuration conf = new HdfsConfiguration(given);
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_CONNECT_TIMEOUT_KEY, BRIEF_MS);
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 1);
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    return connect(conf, address, identifier, BRIEF_MS);
  }

  /**
   * What each NameNode of the file system answers that is reached soon.
   *
   * @param failures gets why not, of the others
   */
  public static Map<String, ObjectNode> askAll(
      Configuration given, String identifier, Map<String, String> failures, String... words)
      throws IOException {
    Map<String, CompletableFuture<ObjectNode>> asked = new LinkedHashMap<>();
    for (InetSocketAddress address : addresses(given)) {
      asked.put(
          NetUtils.getHostPortString(address),
          CompletableFuture.supplyAsync(() -> askBriefly(given, address, identifier, words)));
    }
    Map<String, ObjectNode> answers = new LinkedHashMap<>();
    asked.forEach(
        (nameNode, answer) -> {
          try {
            answers.put(nameNode, answer.join());
          } catch (CompletionException e) {
            String why = String.valueOf(e.getCause().getCause().getMessage());
            failures.put(nameNode, why.lines().findFirst().orElse(""));
          }
        });
    return answers;
  }

  private static ObjectNode askBriefly(
      Configuration given, InetSocketAddress address, String identifier, String... words) {
    try (NameNodeAdmin admin = connectBriefly(given, address, identifier)) {
      return admin.ask(words);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static NameNodeAdmin connect(
      Configuration conf, InetSocketAddress address, String identifier, int timeoutMs)
      throws IOException {
    conf.set(
        CommonConfigurationKeys.HADOOP_SECURITY_SERVICE_USER_NAME_KEY,
        conf.get(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, ""));
    return new NameNodeAdmin(conf, address, identifier, timeoutMs);
  }

  /**
   * All NameNodes of the file system that is configured, whether or not they can be reached.
   *
   * @throws IOException when {@code fs.defaultFS} is no HDFS
   */
  public static List<InetSocketAddress> addresses(Configuration given) throws IOException {
    Configuration conf = new HdfsConfiguration(given); // with what hdfs-site.xml says
    URI uri = FileSystem.getDefaultUri(conf);
    if (!HdfsConstants.HDFS_URI_SCHEME.equals(uri.getScheme())) {
      throw notHdfs(uri);
    }
    return HAUtilClient.isLogicalUri(conf, uri)
        ? List.copyOf(DFSUtilClient.getHaNnRpcAddresses(conf).get(uri.getHost()).values())
        : List.of(DFSUtilClient.getNNAddress(uri));
  }

  private static <T> T proxy(
      Class<T> protocol, InetSocketAddress address, Configuration conf, int timeoutMs)
      throws IOException {
    RPC.setProtocolEngine(conf, protocol, ProtobufRpcEngine2.class);
    return RPC.getProxy(
        protocol,
        RPC.getProtocolVersion(protocol),
        address,
        UserGroupInformation.getCurrentUser(),
        conf,
        NetUtils.getDefaultSocketFactory(conf),
        timeoutMs);
  }

  private static InetSocketAddress active(Configuration conf) throws IOException {
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      if (!(fs instanceof DistributedFileSystem)) {
        throw notHdfs(fs.getUri());
      }
      return HAUtilClient.isLogicalUri(conf, fs.getUri())
          ? HAUtil.getAddressOfActive(fs)
          : DFSUtilClient.getNNAddress(fs.getUri());
    }
  }

  private static IOException notHdfs(URI uri) {
    return new IOException(
        CommonConfigurationKeys.FS_DEFAULT_NAME_KEY
            + " = '"
            + uri
            + "': name an HDFS, with -fs hdfs://host:port or by HADOOP_CONF_DIR");
  }

  /**
   * Asks for something.
   *
   * @throws IOException with the NameNode's words when it refuses
   */
  public ObjectNode ask(String... what) throws IOException {
    Collection<RefreshResponse> responses;
    try {
      responses = refresh.refresh(identifier, what);
    } catch (RemoteException e) {
      throw new IOException(
          "the NameNode at "
              + address
              + " does not answer: is Rackweave's plugin in it, with "
              + DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY
              + " set? "
              + e.getMessage(),
          e);
    }
    RefreshResponse response = responses.iterator().next();
    if (response.getReturnCode() != 0) {
      throw new IOException(response.getMessage());
    }
    return JSON.readValue(response.getMessage(), ObjectNode.class);
  }

  /**
   * Says how the work of a rack stands, and fetches more. It comes with block tokens, and so not by
   * refresh, whose answers Hadoop logs.
   *
   * @throws IOException with the NameNode's words when it refuses
   */
  public synchronized byte[] work(String rack, byte[] reports) throws IOException {
    if (calls == null) {
      calls = proxy(ClientNamenodeProtocolPB.class, address, conf, NO_TIMEOUT);
    }
    try {
      return OutsideWork.told(calls.getServerDefaults(null, OutsideWork.ask(rack, reports)));
    } catch (ServiceException e) {
      throw e.getCause() instanceof RemoteException remote
          ? remote.unwrapRemoteException()
          : new IOException("the NameNode at " + address + " does not answer: " + e, e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (calls != null) {
      RPC.stopProxy(calls);
    }
    refresh.close();
  }
}
