package org.rackweave.hdfs.hook;

import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.rackweave.hdfs.ActiveTerm;
import org.rackweave.hdfs.LockHolder;

/**
 * Has something done in the {@link ActiveTerm terms} of one NameNode, and nothing known in one term
 * used in another: before any work in a term, and again and again while there is none, what was
 * known is let go of, also when the NameNode was not active for less than a tick. As long as that
 * fails nothing else is done.
 *
 * <p>One thread calls {@link #tick}, a {@link HookTimer}'s; {@link #isCurrent} is for any.
 */
public final class ActiveService {
  private final NameNode nameNode;
  private final HookGuard.Action rest;
  private final Work work;
  private volatile long term = ActiveTerm.NONE;

  /** What is done in a term. */
  @FunctionalInterface
  public interface Work {
    /**
     * Works.
     *
     * @param term that may be over by now: what others would have to undo is looked at again under
     *     the namesystem's lock, see {@link ActiveTerm#mayCopy}
     */
    void in(long term) throws Exception;
  }

  /**
   * @param rest lets go of what was known
   */
  public ActiveService(NameNode nameNode, HookGuard.Action rest, Work work) {
    this.nameNode = nameNode;
    this.rest = rest;
    this.work = work;
  }

  /** Does what is due; to be called again and again. */
  public void tick() throws Exception {
    long now = settledTerm();
    if (now != term || now == ActiveTerm.NONE) {
      term = ActiveTerm.NONE;
      rest.run();
      term = now;
    }
    if (now == ActiveTerm.NONE) {
      return;
    }
    try {
      work.in(now);
    } catch (RuntimeException e) {
      if (nameNode.getNamesystem().isRunning()) {
        throw e;
      } // else HDFS has closed what was being looked at: the NameNode stops
    }
  }

  /** Not in the middle of a change of state, at the end of which HDFS names the new term. */
  private long settledTerm() {
    nameNode.getNamesystem().readLock();
    try {
      return ActiveTerm.of(nameNode);
    } finally {
      nameNode.getNamesystem().readUnlock(LockHolder.NAME);
    }
  }

  /**
   * Whether the term in which the last tick worked goes on. Turns false at the instant at which
   * HDFS changes the NameNode's state, for all of its services.
   */
  public boolean isCurrent() {
    long last = term;
    return last != ActiveTerm.NONE && last == ActiveTerm.of(nameNode);
  }
}
