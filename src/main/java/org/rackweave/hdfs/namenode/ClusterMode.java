package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.net.NetUtils;
import org.rackweave.hdfs.AuditLog;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.RootMark;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.hdfs.hook.HookTimer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the NameNodes of a namespace do with the decisions of each feature. What an operator has
 * said is kept as {@value #MARK} of the root directory: it goes before {@code rackweave.mode},
 * outlives restarts, and a NameNode that is not active follows it as it replays the edits.
 * Federated namespaces each have their own.
 *
 * <p>A change is in force on the NameNode that is told at once, before it is written down. Thread
 * safe, and no thread waits for another here: a NameNode can always be switched off.
 */
final class ClusterMode implements AutoCloseable {
  static final String MARK = "trusted.rackweave.mode";

  private static final Logger LOG = LoggerFactory.getLogger(ClusterMode.class);
  private static final long LOOK_MS = 1000;

  private final NameNode nameNode;
  private final PlacementContext context;
  private final RootMark mark;
  private final HookTimer timer = new HookTimer("rackweave-mode");

  /** What was said here; another object each time. */
  private static final class Word {
    final FeatureModes modes;

    Word(FeatureModes modes) {
      this.modes = modes;
    }
  }

  /** What is still to be written down, {@code null} for nothing. */
  private final AtomicReference<Word> unwritten = new AtomicReference<>();

  /** What was said here last, {@code null} for nothing. */
  private volatile Word last;

  /** Whether what was said last can be written down nowhere. */
  private volatile boolean isOnlyHere;

  private String seen;
  private boolean hasSeen;

  ClusterMode(NameNode nameNode, PlacementContext context) {
    this(nameNode, context, new RootMark(nameNode, MARK));
  }

  ClusterMode(NameNode nameNode, PlacementContext context, RootMark mark) {
    this.nameNode = nameNode;
    this.context = context;
    this.mark = mark;
  }

  /** Begins; what was said before a restart is in force when it returns. Off if that is unknown. */
  void start() {
    if (!HookGuard.run(Hook.MODE, this::look)) {
      context.setModes(FeatureModes.all(Mode.OFF));
    }
    timer.every(Hook.MODE, LOOK_MS, this::look);
  }

  /** Follows what has been written down since, and writes down what could not be before. */
  synchronized void look() throws IOException {
    Word before = last;
    Word said = unwritten.get();
    if (said != null && !nameNode.isInSafeMode()) {
      boolean isActive = nameNode.isActiveState();
      if (isActive) {
        writeLast();
      }
      unwritten.compareAndSet(said, null);
      hasSeen &= isActive; // another NameNode's word counts
    }
    follow(mark.read());
    if (last != before) {
      context.setModes(last.modes); // what was read may be older
    }
  }

  /** Until what is written is what was said last: who says it writes it, too, maybe before us. */
  private void writeLast() throws IOException {
    Word written;
    do {
      written = last;
      mark.write(written.modes.toString());
    } while (written != last);
    LOG.info("Mode {} is kept for all NameNodes now", written.modes);
  }

  /** Another mode is configured, which counts where nobody has said one. */
  synchronized void configured() throws IOException {
    hasSeen &= isOnlyHere || unwritten.get() != null;
    look();
  }

  /** Whether somebody has said a mode by command, which goes before what is configured. */
  synchronized boolean isSaid() {
    return seen != null || isOnlyHere || unwritten.get() != null;
  }

  private void follow(String now) {
    if (hasSeen && Objects.equals(now, seen)) {
      return;
    }
    FeatureModes modes = now == null ? context.config().modes() : modesOf(now);
    LOG.info(
        "Mode {}: {}",
        modes,
        now == null ? "as configured" : "as " + MARK + " of / says, '" + now + "'");
    context.setModes(modes);
    hasSeen = true; // now that it is in force
    seen = now;
  }

  /** Off when it makes no sense: somebody wanted a change. */
  private FeatureModes modesOf(String text) {
    try {
      return context.config().modes().with(text);
    } catch (IllegalArgumentException e) {
      return FeatureModes.all(Mode.OFF);
    }
  }

  /**
   * Switches all NameNodes of the namespace, this one at once.
   *
   * @param words as {@link FeatureModes} takes them; what they do not name stays as it is
   * @return what does not last, empty when all does
   * @throws IllegalStateException when this NameNode is not active, and nothing has changed
   */
  String say(List<String> words) throws IOException {
    if (!nameNode.isActiveState()) {
      throw new IllegalStateException(
          "this NameNode is not active, and follows the one that is: say it there, "
              + others(nameNode.getConf()));
    }
    Word word = putInForce(words);
    AuditLog.changed("rackweaveMode", "/", word.modes);
    try {
      mark.write(word.modes.toString());
      unwritten.compareAndSet(word, null);
      isOnlyHere = false;
      return "";
    } catch (IOException | UnsupportedOperationException e) {
      boolean canBeWrittenLater = e instanceof IOException;
      if (!canBeWrittenLater) {
        unwritten.compareAndSet(word, null);
        isOnlyHere = true;
      }
      LOG.warn("Mode {} is in force but not kept", word.modes, e);
      return ". Only here, and until this NameNode restarts"
          + (canBeWrittenLater ? " or leaves safe mode, when all are told" : "")
          + ": "
          + MARK
          + " of / cannot be written: "
          + e.getMessage().lines().findFirst().orElse("");
    }
  }

  /** Two operators who change two features both have their way. Waits for nothing. */
  private Word putInForce(List<String> words) {
    synchronized (unwritten) {
      Word word = new Word(context.modes().with(words));
      last = word;
      unwritten.set(word);
      context.setModes(word.modes);
      return word;
    }
  }

  private static List<String> others(Configuration conf) {
    return HAUtil.getConfForOtherNodes(conf).stream()
        .map(other -> NameNode.getServiceAddress(other, true))
        .map((InetSocketAddress address) -> NetUtils.getHostPortString(address))
        .toList();
  }

  @Override
  public void close() {
    timer.close();
  }
}
