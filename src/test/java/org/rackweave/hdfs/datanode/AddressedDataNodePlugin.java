package org.rackweave.hdfs.datanode;

import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.ServicePlugin;

/**
 * Rackweave's plugin on a DataNode that reads from others by an address of its own. All DataNodes
 * of a test share one address, so who is read from could not tell otherwise who reads.
 */
public final class AddressedDataNodePlugin implements ServicePlugin, Configurable {
  /** The address, one of this host. */
  public static final String ADDRESS = "rackweave.test.datanode.address";

  private final RackweaveDataNodePlugin plugin = new RackweaveDataNodePlugin();

  @Override
  public void setConf(Configuration conf) {
    plugin.setConf(conf);
  }

  @Override
  public Configuration getConf() {
    return plugin.getConf();
  }

  @Override
  public void start(Object service) {
    DataNode dataNode = (DataNode) service;
    // Not a spy, which would keep what the DataNode is now, before it has registered. By the usual
    // mock maker: two of them in one JVM fail Mockito's own assertions, whoever comes next.
    DataNode addressed =
        mock(DataNode.class, withSettings().stubOnly().defaultAnswer(delegatesTo(dataNode)));
    try {
      doAnswer(call -> bound(dataNode.newSocket())).when(addressed).newSocket();
    } catch (IOException e) {
      throw new AssertionError("stubbing does not fail", e);
    }
    plugin.start(addressed);
  }

  private Socket bound(Socket socket) throws IOException {
    socket.bind(new InetSocketAddress(getConf().get(ADDRESS), 0));
    return socket;
  }

  @Override
  public void stop() {
    plugin.stop();
  }

  @Override
  public void close() throws IOException {
    plugin.close();
  }
}
