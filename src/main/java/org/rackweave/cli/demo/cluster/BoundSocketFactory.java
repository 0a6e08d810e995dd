package org.rackweave.cli.demo.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Objects;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.net.StandardSocketFactory;

/**
 * Sends from one local address. The NameNode learns where a DataNode or a writer is from the
 * address its connection comes from; in one JVM that would be 127.0.0.1 for all of them.
 */
public class BoundSocketFactory extends StandardSocketFactory implements Configurable {

  private static final String ADDRESS_KEY = "rackweave.demo.bind.address";

  private Configuration conf;
  private String address;

  /** Makes everything that is built from {@code conf} send from {@code address}. */
  public static void bind(Configuration conf, String address) {
    conf.set(ADDRESS_KEY, address);
    conf.set(
        CommonConfigurationKeysPublic.HADOOP_RPC_SOCKET_FACTORY_CLASS_DEFAULT_KEY,
        BoundSocketFactory.class.getName());
  }

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    this.address = conf.get(ADDRESS_KEY);
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  /** Where it sends from, null for anywhere. */
  protected final String address() {
    return address;
  }

  @Override
  public Socket createSocket() throws IOException {
    return bound(super.createSocket());
  }

  /** A socket that sends from the address. */
  protected final Socket bound(Socket socket) throws IOException {
    if (address != null) {
      socket.bind(new InetSocketAddress(address, 0));
    }
    return socket;
  }

  /** Hadoop shares connections between equal factories, so two addresses must not be equal. */
  @Override
  public boolean equals(Object other) {
    return other instanceof BoundSocketFactory that && Objects.equals(address, that.address);
  }

  @Override
  public int hashCode() {
    return Objects.hash(BoundSocketFactory.class, address);
  }
}
