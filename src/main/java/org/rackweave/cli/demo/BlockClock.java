package org.rackweave.cli.demo;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.rackweave.cli.demo.cluster.HotNodes;
import org.rackweave.cli.experiment.BlockWrite;

/**
 * Times the blocks of one writer by watching what its HDFS client asks of the NameNode. A client
 * asks for a block, writes it, waits until every DataNode has acknowledged it, and only then asks
 * for the next block or completes the file; so a block lasts from the first call to the second.
 */
final class BlockClock implements InvocationHandler, Closeable {

  private final ClientProtocol nameNode;
  private final HotNodes nodes;
  private final int writerNode;
  private final Consumer<BlockWrite> sink;
  private final Map<String, OpenBlock> openBlocks = new ConcurrentHashMap<>();

  /** A block being written; whether targets are hot is unknown until they are. */
  private record OpenBlock(long startNs, boolean writerHot, Boolean targetHot) {}

  private BlockClock(
      ClientProtocol nameNode, HotNodes nodes, int writerNode, Consumer<BlockWrite> sink) {
    this.nameNode = nameNode;
    this.nodes = nodes;
    this.writerNode = writerNode;
    this.sink = sink;
  }

  /**
   * Puts a clock before {@code nameNode}.
   *
   * @param writerNode the DataNode the writer sits on, -1 if outside the cluster
   * @param sink receives every block when it is done, from many threads
   */
  static ClientProtocol watch(
      ClientProtocol nameNode, HotNodes nodes, int writerNode, Consumer<BlockWrite> sink) {
    return (ClientProtocol)
        Proxy.newProxyInstance(
            ClientProtocol.class.getClassLoader(),
            new Class<?>[] {ClientProtocol.class},
            new BlockClock(nameNode, nodes, writerNode, sink));
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
    try {
      switch (method.getName()) {
        case "addBlock" -> {
          return addBlock(method, args);
        }
        case "abandonBlock" -> forgetTargets((String) args[2]);
        case "complete" -> finish((String) args[0], System.nanoTime());
        default -> {}
      }
      return method.invoke(nameNode, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private Object addBlock(Method method, Object[] args) throws Throwable {
    String file = (String) args[0];
    long nowNs = System.nanoTime();
    boolean writerHot = writerNode >= 0 && nodes.isHot(writerNode);
    finish(file, nowNs);
    // A refused call is repeated; the block began with the first one.
    OpenBlock asked = openBlocks.computeIfAbsent(file, f -> new OpenBlock(nowNs, writerHot, null));
    LocatedBlock block = (LocatedBlock) method.invoke(nameNode, args);
    openBlocks.put(file, new OpenBlock(asked.startNs(), asked.writerHot(), isTargetHot(block)));
    return block;
  }

  private boolean isTargetHot(LocatedBlock block) {
    for (DatanodeInfo target : block.getLocations()) {
      int node = nodes.nodeAt(target.getIpAddr());
      if (node != writerNode && node >= 0 && nodes.isHot(node)) {
        return true;
      }
    }
    return false;
  }

  /** A pipeline could not be set up; the client will ask for other targets for the same block. */
  private void forgetTargets(String file) {
    openBlocks.computeIfPresent(
        file, (f, open) -> new OpenBlock(open.startNs(), open.writerHot(), null));
  }

  private void finish(String file, long nowNs) {
    OpenBlock done = openBlocks.get(file);
    if (done != null && done.targetHot() != null) {
      openBlocks.remove(file);
      sink.accept(
          new BlockWrite(
              done.startNs(), (nowNs - done.startNs()) / 1e9, done.writerHot(), done.targetHot()));
    }
  }

  /** The connection belongs to its maker. */
  @Override
  public void close() throws IOException {}
}
