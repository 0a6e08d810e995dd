package org.rackweave.eafr;

/**
 * What EAFR has done to a file. To be kept for files that were changed; others are {@link
 * #untouched}.
 *
 * @param ownFactor the factor that its user gave it
 * @param setFactor the factor it had when EAFR last looked or set it
 * @param changedMs when that last changed, or a replica was moved; {@link #NEVER}
 * @param raisedMs when it last got a replica; {@link #NEVER}
 */
public record FileHistory(int ownFactor, int setFactor, long changedMs, long raisedMs) {
  /** Before every time there is. */
  public static final long NEVER = Long.MIN_VALUE;

  public static FileHistory untouched(int factor) {
    return new FileHistory(factor, factor, NEVER, NEVER);
  }

  /** A factor that somebody else has set is the file's own from then on. */
  public FileHistory seen(int factor, long nowMs) {
    return factor == setFactor ? this : new FileHistory(factor, factor, nowMs, NEVER);
  }

  /** After a change has been carried out. */
  public FileHistory after(FileChange change, long nowMs) {
    boolean raised = change.toFactor() > change.fromFactor();
    return new FileHistory(ownFactor, change.toFactor(), nowMs, raised ? nowMs : raisedMs);
  }

  /** After replicas of it have been moved. */
  public FileHistory moved(long atMs) {
    return new FileHistory(ownFactor, setFactor, Math.max(changedMs, atMs), raisedMs);
  }

  /** Whether so much time has passed since a time of this history. */
  static boolean isPast(long sinceMs, long waitMs, long nowMs) {
    return sinceMs == NEVER || nowMs - sinceMs >= waitMs;
  }
}
