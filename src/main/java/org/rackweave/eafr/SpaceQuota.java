package org.rackweave.eafr;

/**
 * The quotas of the directories above a file.
 *
 * <p>An implementation may remember what it admitted: it is asked last, and what it admits is part
 * of the plan.
 */
@FunctionalInterface
public interface SpaceQuota {
  SpaceQuota NONE = (fileId, moreBytes) -> true;

  /** Whether a file may take so many bytes more. */
  boolean admits(long fileId, long moreBytes);
}
