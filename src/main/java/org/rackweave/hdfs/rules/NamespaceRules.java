package org.rackweave.hdfs.rules;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.rackweave.hdfs.AuditLog;
import org.rackweave.hdfs.LockHolder;
import org.rackweave.hdfs.RootMark;
import org.rackweave.hdfs.RuleWords;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.hdfs.hook.HookTimer;
import org.rackweave.rules.RuleSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules that operators set, kept as {@value #MARK} of the root directory: a line for each
 * directory, with its inode, so that a rule follows a directory that is renamed and ends with one
 * that is deleted, as HDFS's own policies do. Each NameNode of the namespace reads them as it
 * replays the edits, and puts them in force within a second. Federated namespaces each have their
 * own.
 *
 * <p>Looking costs a second's hold of the namesystem's read lock of about a microsecond a rule.
 */
public final class NamespaceRules implements AutoCloseable {
  static final String MARK = "trusted.rackweave.rules";

  private static final Logger LOG = LoggerFactory.getLogger(NamespaceRules.class);
  private static final long LOOK_MS = 1000;

  /** Rules whose directories are looked up in one hold of the lock. */
  private static final int LOOKED_UP = 100;

  private final NameNode nameNode;
  private final RootMark mark;
  private final Consumer<RuleSet> check;
  private final Consumer<RuleSet> put;
  private final HookTimer timer = new HookTimer("rackweave-rules");
  private volatile RuleSet inForce = RuleSet.NONE;

  /** What was kept when it was last looked, with what is not in force. */
  private RuleSet seen = RuleSet.NONE;

  /**
   * @param inode of the directory
   * @param path where it is now, {@code null} when it is no more
   */
  private record Kept(long inode, String path, Map<String, String> words) {
    String line() {
      StringBuilder line = new StringBuilder(Long.toString(inode));
      words.forEach((word, value) -> line.append(' ').append(word).append('=').append(value));
      return line.toString();
    }
  }

  /**
   * @param check refuses rules that make no sense to features
   * @param put puts rules in force
   */
  public NamespaceRules(NameNode nameNode, Consumer<RuleSet> check, Consumer<RuleSet> put) {
    this.nameNode = nameNode;
    this.check = check;
    this.put = put;
    mark = new RootMark(nameNode, MARK);
  }

  /** Begins; what was set before a restart is in force when it returns. */
  public void start() {
    HookGuard.run(Hook.RULES, this::look);
    timer.every(Hook.RULES, LOOK_MS, this::look);
  }

  @Override
  public void close() {
    timer.close();
  }

  /** The rules that operators have set, by where their directories are now. */
  public RuleSet inForce() {
    return inForce;
  }

  /** Does something with the rules in force, which stay so meanwhile. */
  public synchronized void whileInForce(Consumer<RuleSet> work) {
    work.accept(inForce);
  }

  private synchronized void look() throws IOException {
    RuleSet kept = ruleSet(kept());
    if (kept.equals(seen)) {
      return;
    }
    RuleSet now = sensible(kept);
    put.accept(now);
    LOG.info("Rules in force: {}", now.isEmpty() ? "none" : now.toString().replace("\n", "; "));
    inForce = now;
    seen = kept;
  }

  /**
   * Those that make sense; of a newer version, or of before a setting was changed, some may not.
   */
  private RuleSet sensible(RuleSet kept) {
    try {
      check.accept(kept);
      return kept;
    } catch (IllegalArgumentException e) {
      LOG.debug("Some rules are invalid", e);
    }
    RuleSet now = RuleSet.NONE;
    for (String directory : kept.directories()) {
      RuleSet more = now.with(directory, kept.of(directory));
      try {
        check.accept(more);
        now = more;
      } catch (IllegalArgumentException e) {
        LOG.error("The rule of {} is not in force: {}", directory, e.getMessage());
      }
    }
    return now;
  }

  private static RuleSet ruleSet(List<Kept> all) {
    RuleSet rules = RuleSet.NONE;
    for (Kept kept : all) {
      rules = kept.path() == null ? rules : rules.with(kept.path(), kept.words());
    }
    return rules;
  }

  private List<Kept> kept() throws IOException {
    String text = mark.read();
    List<Kept> kept = new ArrayList<>();
    List<String> lines = text == null || text.isBlank() ? List.of() : text.lines().toList();
    for (int from = 0; from < lines.size(); from += LOOKED_UP) {
      lookUp(lines.subList(from, Math.min(lines.size(), from + LOOKED_UP)), kept);
    }
    return kept;
  }

  private void lookUp(List<String> lines, List<Kept> kept) throws IOException {
    FSNamesystem namesystem = nameNode.getNamesystem();
    FSDirectory directory = namesystem.getFSDirectory();
    namesystem.readLock();
    try {
      for (String line : lines) {
        List<String> parts = List.of(line.split(" "));
        long id = Long.parseLong(parts.get(0));
        kept.add(
            new Kept(id, pathOf(id, directory), RuleSet.words(parts.subList(1, parts.size()))));
      }
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
  }

  /**
   * Where a directory is, {@code null} where it is no more: deleted, if only a snapshot still has
   * it, or waiting in the trash, or of a name that no rule can be for.
   */
  private static String pathOf(long id, FSDirectory directory) throws IOException {
    INode inode = directory.getInode(id);
    String path = inode == null ? null : inode.getFullPathName();
    if (path == null || !RuleSet.canBeFor(path) || path.contains("/" + FileSystem.TRASH_PREFIX)) {
      return null;
    }
    INode there = directory.getINode(path, FSDirectory.DirOp.READ);
    return there != null && there.getId() == id ? path : null;
  }

  /**
   * Sets the words for a directory, in place of those of the same features; other words it has
   * stay. In force on this NameNode when it returns.
   *
   * @throws IllegalArgumentException naming what makes no sense; nothing has changed
   * @throws IllegalStateException when this NameNode may not write; nothing has changed
   */
  public synchronized void set(String path, List<String> text) {
    Map<String, String> words = RuleSet.words(text);
    if (words.isEmpty()) {
      throw new IllegalArgumentException("no words: allowed is " + RuleWords.ALLOWED);
    }
    RuleWords.check(words);
    change(path, before -> RuleWords.over(words, before));
  }

  /**
   * Removes the words of a directory.
   *
   * @param leaders the words that lead those to be removed; none for all
   * @throws IllegalArgumentException when there are none; nothing has changed
   * @throws IllegalStateException when this NameNode may not write; nothing has changed
   */
  public synchronized void remove(String path, List<String> leaders) {
    for (String leader : leaders) {
      if (!RuleWords.leaders().contains(leader)) {
        throw new IllegalArgumentException(
            "'" + leader + "': allowed are " + String.join(", ", RuleWords.leaders()));
      }
    }
    change(
        path,
        before -> {
          Map<String, String> left =
              leaders.isEmpty() ? Map.of() : RuleWords.without(leaders, before);
          if (left.size() == before.size()) {
            throw new IllegalArgumentException(path + " has no such rule of its own");
          }
          return left;
        });
  }

  private void change(String path, Function<Map<String, String>, Map<String, String>> words) {
    if (!nameNode.isActiveState()) {
      throw new IllegalStateException("this NameNode is not active; use the active one");
    }
    try {
      long id = directoryAt(nameNode, path);
      List<Kept> all = new ArrayList<>();
      Map<String, String> before = Map.of();
      for (Kept kept : kept()) {
        if (kept.inode() == id) {
          before = kept.words();
        } else if (kept.path() != null) {
          all.add(kept);
        }
      }
      Map<String, String> after = words.apply(before);
      if (!after.isEmpty()) {
        all.add(new Kept(id, path, after));
      }
      check.accept(ruleSet(all));
      mark.write(all.isEmpty() ? null : text(all));
      AuditLog.changed("rackweaveRules", path, after.isEmpty() ? "none" : after);
      look();
    } catch (IOException | UnsupportedOperationException e) {
      throw new IllegalStateException(MARK + " of / cannot be written: " + e.getMessage(), e);
    }
  }

  private static String text(List<Kept> all) {
    StringBuilder text = new StringBuilder();
    all.forEach(kept -> text.append(kept.line()).append('\n'));
    return text.toString();
  }

  /**
   * The inode of a directory.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static long directoryAt(NameNode nameNode, String path) throws IOException {
    FSNamesystem namesystem = nameNode.getNamesystem();
    namesystem.readLock();
    try {
      INode inode = namesystem.getFSDirectory().getINode(path, FSDirectory.DirOp.READ);
      if (inode == null || !inode.isDirectory()) {
        throw new IllegalArgumentException(
            "'" + path + "': allowed is the path of a directory that there is");
      }
      return inode.getId();
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
  }
}
