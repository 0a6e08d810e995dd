package org.rackweave.cli.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurationTaskStatus;
import org.apache.hadoop.conf.ReconfigurationUtil.PropertyChange;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.protocol.ReconfigurationProtocol;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Talks to the NameNode from outside the testbed, over the control link.
 *
 * @param address the NameNode's end of the control link
 * @param conf how RPC reaches it
 */
record NameNodeLink(String address, Configuration conf) {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int CONNECT_MS = 1_000;
  private static final int READ_MS = 20_000;
  private static final int POLL_MS = 20;
  private static final Duration RECONFIGURATION_DEADLINE = Duration.ofSeconds(30);

  /**
   * Reads a bean of {@code /jmx}.
   *
   * @throws IOException if the NameNode does not answer or has no such bean
   */
  JsonNode bean(String name) throws IOException {
    URI uri =
        URI.create(
            "http://"
                + address
                + ":"
                + HdfsPlan.NAMENODE_HTTP_PORT
                + "/jmx?qry="
                + URLEncoder.encode(name, StandardCharsets.UTF_8));
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection(Proxy.NO_PROXY);
    connection.setConnectTimeout(CONNECT_MS);
    connection.setReadTimeout(READ_MS);
    try (InputStream in = connection.getInputStream()) {
      JsonNode beans = MAPPER.readTree(in).path("beans");
      if (beans.isEmpty()) {
        throw new IOException("the NameNode has no bean " + name);
      }
      return beans.get(0);
    } finally {
      connection.disconnect();
    }
  }

  /**
   * Has the NameNode read its site files again, and waits until it acts on them.
   *
   * @throws IOException if it refuses a value
   */
  void reconfigure() throws IOException {
    InetSocketAddress rpc = new InetSocketAddress(address, HdfsPlan.NAMENODE_RPC_PORT);
    ReconfigurationProtocol protocol =
        DFSUtilClient.createReconfigurationProtocolProxy(
            rpc,
            UserGroupInformation.getCurrentUser(),
            conf,
            NetUtils.getDefaultSocketFactory(conf));
    try {
      protocol.startReconfiguration();
      ReconfigurationTaskStatus status = protocol.getReconfigurationStatus();
      long deadline = System.nanoTime() + RECONFIGURATION_DEADLINE.toNanos();
      while (!status.stopped()) {
        if (System.nanoTime() > deadline) {
          throw new IOException("the NameNode does not finish its reconfiguration");
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MS);
        status = protocol.getReconfigurationStatus();
      }
      checkAccepted(status);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the NameNode reconfigures itself", e);
    } finally {
      if (protocol instanceof Closeable closeable) {
        closeable.close();
      }
    }
  }

  private static void checkAccepted(ReconfigurationTaskStatus status) throws IOException {
    // Null where the site files say what the NameNode does already.
    Map<PropertyChange, Optional<String>> changes = status.getStatus();
    if (changes == null) {
      return;
    }
    for (Map.Entry<PropertyChange, Optional<String>> change : changes.entrySet()) {
      if (change.getValue().isPresent()) {
        throw new IOException(
            "the NameNode refuses "
                + change.getKey().prop
                + " = "
                + change.getKey().newVal
                + ": "
                + change.getValue().get());
      }
    }
  }
}
