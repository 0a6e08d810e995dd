package org.rackweave.hdfs;

import java.util.Locale;

/** What an operator switches on and off by itself. */
public enum Feature {
  /** New blocks go where the network has room (Sinbad). */
  PLACEMENT,
  /** Blocks are placed for stripes, and stripes encoded (EAR). */
  STRIPES,
  /** Files gain and lose replicas as they are read (EAFR). */
  HEAT,
  /** Servers of cold data sleep (EAFR). */
  SLEEP,
  /** Lost replicas are made again with bandwidth left over (Dayu). */
  RECOVERY,
  /** Readers are sent to the replica with the shortest queue (EAFR). */
  READ_ORDER;

  private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** Name in commands, reports and what is kept. */
  public String label() {
    return label;
  }
}
