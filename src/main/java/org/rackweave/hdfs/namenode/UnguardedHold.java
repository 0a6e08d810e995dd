package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RollingUpgradeActionProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RollingUpgradeRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SafeModeActionProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetSafeModeRequestProto;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.ExitUtil;
import org.rackweave.ear.ErasureCode;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.RpcInterceptor;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.hdfs.hook.HookTimer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds a NameNode that has encoded data and not its guards: without these HDFS deletes, and {@code
 * fsck -delete} gives up, what stripes count on. HDFS goes on when a plugin does not start, but a
 * NameNode in safe mode deletes nothing, neither files nor replicas, and one that was in it at the
 * end of its start does not become active. Whoever wants to leave safe mode is told what to do
 * instead. Where HDFS ends it by itself, as it does when a disk has room again, it is entered again
 * at the next look.
 *
 * <p>Without encoded data nothing happens but that look, four times a second.
 */
final class UnguardedHold implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(UnguardedHold.class);
  private static final LogThrottle ERROR_LOG = LogThrottle.oncePerMinute();
  private static final long LOOK_MS = 250;

  private final NameNode nameNode;
  private final Supplier<NameNodeBridge> bridge;
  private final String parityDirectory;
  private final boolean mayEncode;
  private final String whatToDo;
  private final HookGuard.Action whenHeld;
  private final HookTimer timer = new HookTimer("rackweave-unguarded-hold");
  private volatile boolean isHeld;
  private volatile boolean isNeeded;

  /**
   * @param bridge asked at every look: what kept the guards from starting may keep it from working
   * @param mayEncode whether this NameNode's configuration wants data encoded: it is taken for one
   *     that has encoded data when nobody can tell, and rather ended than run
   * @param whatToDo why it has no guards, and what helps
   * @param whenHeld puts {@link #intercept} in front of HDFS's handler of client calls
   */
  UnguardedHold(
      NameNode nameNode,
      Supplier<NameNodeBridge> bridge,
      String parityDirectory,
      boolean mayEncode,
      String whatToDo,
      HookGuard.Action whenHeld) {
    this.nameNode = nameNode;
    this.bridge = bridge;
    this.parityDirectory = parityDirectory;
    this.mayEncode = mayEncode;
    this.whatToDo = whatToDo;
    this.whenHeld = whenHeld;
  }

  /** Begins while a NameNode starts, before it can become active. */
  void begin() {
    boolean looksAgain = false;
    try {
      timer.every(Hook.UNGUARDED_HOLD, LOOK_MS, this::look);
      looksAgain = true;
      look();
    } catch (Throwable e) { // HDFS would go on: it starts plugins within a catch of all
      if (mayEncode || isNeeded || !looksAgain) {
        LOG.error("Encoded data cannot be guarded, nor this NameNode held in safe mode", e);
        ExitUtil.terminate(1, "Rackweave ends a NameNode without guards. " + whatToDo);
      }
      LOG.error("Cannot determine whether this NameNode has encoded data; trying again", e);
    }
  }

  private synchronized void look() throws IOException {
    if (!isHeld && !mustHold()) {
      return;
    }
    isNeeded = true;
    if (!isHeld) {
      // Read at the end of the NameNode's start.
      nameNode.getConf().setBoolean(DFSConfigKeys.DFS_HA_NN_NOT_BECOME_ACTIVE_IN_SAFEMODE, true);
    }
    if (!isHeld || !nameNode.isInSafeMode()) {
      bridge.get().enterSafeMode();
    }
    if (!isHeld) {
      isHeld = true;
      HookGuard.run(Hook.UNGUARDED_HOLD, whenHeld);
    }
    if (ERROR_LOG.shouldLog()) {
      LOG.error(message());
    }
  }

  /** A standby does not know yet what the edits say that it is to read before it is active. */
  private boolean mustHold() {
    return (mayEncode && !nameNode.isActiveState())
        || bridge.get().hasFilesBelow(parityDirectory, UnguardedHold::isOfStripes);
  }

  private String message() {
    return "Rackweave holds this NameNode in safe mode: it has encoded data in "
        + parityDirectory
        + " and not what guards it, and would delete what other files' safety depends on. "
        + whatToDo;
  }

  /** What is unfinished belongs to no stripe. */
  private static boolean isOfStripes(String directory) {
    try {
      ErasureCode.named(directory);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Refuses what ends safe mode. */
  BlockingService intercept(BlockingService next) {
    return isHeld ? new Interceptor(next) : next;
  }

  private final class Interceptor extends RpcInterceptor {
    Interceptor(BlockingService next) {
      super(next);
    }

    @Override
    public Message callBlockingMethod(MethodDescriptor method, RpcController rpc, Message request)
        throws ServiceException {
      if (endsSafeMode(request)) {
        throw new ServiceException(new IOException(message()));
      }
      return answer(method, rpc, request);
    }
  }

  private static boolean endsSafeMode(Message request) {
    if (request instanceof SetSafeModeRequestProto set) {
      return set.getAction() == SafeModeActionProto.SAFEMODE_LEAVE
          || set.getAction() == SafeModeActionProto.SAFEMODE_FORCE_EXIT;
    }
    return request instanceof RollingUpgradeRequestProto upgrade
        && upgrade.getAction() == RollingUpgradeActionProto.START;
  }

  @Override
  public void close() {
    timer.close();
  }
}
