package org.rackweave.ear;

import java.util.Locale;

/** What became of a block with regard to stripes. */
public enum StripeOutcome {
  /** It joined a stripe that was open. */
  JOINED,
  /** It is the first of a stripe, its core rack having had none open. */
  OPENED,
  /** It is the first of a stripe, none of those open having had a layout for it. */
  OPENED_ANOTHER,
  /** In no stripe: only blocks that are being written join one. */
  NOT_A_NEW_BLOCK,
  /** In no stripe: with one replica there is no choice of which to keep. */
  TOO_FEW_REPLICAS,
  /** In no stripe: the racks and nodes there are cannot hold n blocks, at most c in a rack. */
  TOO_FEW_RACKS,
  /** In no stripe: racks or nodes changed while it was being placed. */
  TOPOLOGY_CHANGED,
  /** In no stripe: no nodes were found that HDFS admits and the spread allows. */
  NOT_PLACED;

  private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** Name for metrics, logs and reports. */
  public String label() {
    return label;
  }
}
