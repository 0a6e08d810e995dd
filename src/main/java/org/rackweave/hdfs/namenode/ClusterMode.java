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
import org.rackweave.hdfs.Feature;
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

  /** Of earlier versions, in which EAFR was paused by it. */
  static final String EAFR_PAUSED = "trusted.rackweave.eafr-paused";

  private static final Logger LOG = LoggerFactory.getLogger(ClusterMode.class);
  private static final long LOOK_MS = 1000;

  private final NameNode nameNode;
  private final PlacementContext context;
  private final RootMark mark;
  private final RootMark eafrPaused;
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

  /** Whether {@link #EAFR_PAUSED} was there at the last look, and what had been said before it. */
  private boolean isPauseSeen;

  private Word saidBeforePause;

  /** Whether that pause is in force. */
  private boolean isPaused;

  ClusterMode(NameNode nameNode, PlacementContext context) {
    this(nameNode, context, new RootMark(nameNode, MARK), new RootMark(nameNode, EAFR_PAUSED));
  }

  ClusterMode(NameNode nameNode, PlacementContext context, RootMark mark, RootMark eafrPaused) {
    this.nameNode = nameNode;
    this.context = context;
    this.mark = mark;
    this.eafrPaused = eafrPaused;
  }

  /** Begins; what was said before a restart is in force when it returns. Off if that is unknown. */
  synchronized void start() {
    if (!HookGuard.run(Hook.MODE, this::look)) {
      context.setModes(FeatureModes.all(Mode.OFF));
      hasSeen = false;
    }
    timer.every(Hook.MODE, LOOK_MS, this::look);
  }

  /** Follows what has been written down since, and writes down what could not be before. */
  synchronized void look() throws IOException {
    Word before = last;
    Word said = unwritten.get();
    boolean mayWrite = nameNode.isActiveState() && !nameNode.isInSafeMode();
    if (said != null && !nameNode.isInSafeMode()) {
      if (mayWrite) {
        writeLast();
      }
      unwritten.compareAndSet(said, null);
      hasSeen &= mayWrite; // another NameNode's word counts
    }
    String now = mark.read();
    boolean isPauseThere = eafrPaused.read() != null;
    follow(now, isPauseThere);
    if (last != before) {
      context.setModes(last.modes); // what was read may be older
    } else if (isPauseThere && mayWrite && !isOnlyHere && unwritten.get() == null) {
      translatePause();
    }
  }

  /** Until what is written is what was said last: who says it writes it, too, maybe before us. */
  private void writeLast() throws IOException {
    try {
      Word written;
      do {
        written = last;
        mark.write(written.modes.inFull());
      } while (written != last);
      LOG.info("Mode {} is now stored for all NameNodes", written.modes);
    } catch (UnsupportedOperationException e) {
      isOnlyHere = true;
      LOG.warn("Mode {} is in force but not stored", last.modes, e);
    }
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

  private void follow(String now, boolean isPauseThere) {
    if (isPauseThere && !isPauseSeen) {
      saidBeforePause = last;
    }
    isPauseSeen = isPauseThere;
    boolean pauses = isPauseThere && last == saidBeforePause;
    boolean isHeardOf = Objects.equals(now, seen) && pauses == isPaused;
    if (hasSeen && (isHeardOf || isOnlyHere || unwritten.get() != null)) {
      return;
    }
    FeatureModes modes = now == null ? context.config().modes() : modesOf(now);
    if (pauses) {
      modes = modes.with(modes.wordsThatStopEafr());
    }
    LOG.info(
        "Mode {}: {}{}",
        modes,
        now == null ? "as configured" : "as " + MARK + " of / says, '" + now + "'",
        pauses ? ", and EAFR paused as " + EAFR_PAUSED + " says" : "");
    context.setModes(modes);
    hasSeen = true; // now that it is in force
    seen = now;
    isPaused = pauses;
  }

  /**
   * What an earlier version has kept of EAFR alone is kept with all modes from now on. Not by
   * {@link #say}: HDFS takes a second edit of one call for a repetition of the first.
   */
  private void translatePause() throws IOException {
    if (isPaused) {
      putInForce(List.of()); // the next look writes it down
    } else {
      eafrPaused.write(null);
    }
  }

  /**
   * Off when it makes no sense: somebody wanted a change. In an earlier version a mode of recovery
   * did not switch Dayu on by itself.
   */
  private FeatureModes modesOf(String text) {
    try {
      FeatureModes modes = context.config().modes().with(text);
      boolean isOfRecovery = FeatureModes.isInFull(text) || context.config().dayu().anyPolicy();
      return isOfRecovery || !modes.isActive(Feature.RECOVERY)
          ? modes
          : modes.with(Feature.RECOVERY.label() + '=' + Mode.SHADOW);
    } catch (IllegalArgumentException e) {
      return FeatureModes.all(Mode.OFF);
    }
  }

  /**
   * Switches all NameNodes of the namespace, this one at once.
   *
   * @param words as {@link FeatureModes} takes them; what they do not name stays as it is
   * @throws IllegalStateException when this NameNode is not active, and nothing has changed; or
   *     when what is in force now does not last
   */
  void say(List<String> words) throws IOException {
    if (!nameNode.isActiveState()) {
      throw new IllegalStateException(
          "this NameNode is not active, and follows the one that is: say it there, "
              + others(nameNode.getConf()));
    }
    Word word = putInForce(words);
    AuditLog.changed("rackweaveMode", "/", word.modes);
    try {
      mark.write(word.modes.inFull());
      unwritten.compareAndSet(word, null);
      isOnlyHere = false;
    } catch (IOException | UnsupportedOperationException e) {
      boolean canBeWrittenLater = e instanceof IOException;
      if (!canBeWrittenLater) {
        unwritten.compareAndSet(word, null);
        isOnlyHere = true;
      }
      LOG.warn("Mode {} is in force but not stored", word.modes, e);
      throw new IllegalStateException(
          word.modes
              + ". Only here, and until this NameNode restarts"
              + (canBeWrittenLater ? " or leaves safe mode, when all are told" : "")
              + ": "
              + MARK
              + " of / cannot be written: "
              + e.getMessage().lines().findFirst().orElse(""),
          e);
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
