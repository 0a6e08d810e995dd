package org.rackweave.cli.experiment;

/**
 * One block as its writer saw it.
 *
 * @param startNs when its placement was asked for, by {@link System#nanoTime}
 * @param seconds from asking for its placement to the last DataNode's acknowledgement
 * @param writerHot whether the writer sat on a DataNode with background load at the start
 * @param targetHot whether a replica was sent to another DataNode with background load at the start
 */
public record BlockWrite(long startNs, double seconds, boolean writerHot, boolean targetHot) {

  /** The classes the figures are split by. */
  public enum Situation {
    WRITER_AND_TARGET_FREE("writer and target free"),
    WRITER_FREE_TARGET_HOT("writer free, target hot"),
    WRITER_HOT("writer hot");

    private final String label;

    Situation(String label) {
      this.label = label;
    }

    /** In words. */
    public String label() {
      return label;
    }
  }

  /** The class this block belongs to. */
  public Situation situation() {
    if (writerHot) {
      return Situation.WRITER_HOT;
    }
    return targetHot ? Situation.WRITER_FREE_TARGET_HOT : Situation.WRITER_AND_TARGET_FREE;
  }
}
