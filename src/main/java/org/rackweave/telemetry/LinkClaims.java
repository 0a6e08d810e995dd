package org.rackweave.telemetry;

import java.util.Arrays;

/**
 * How fast links are believed to be. An agent says how fast its DataNode's link is; one that says
 * far too much would draw all blocks to itself, and its load would hide that of its rack.
 *
 * <p>A claim is believed up to what the operator declared, or {@value #TIMES_OTHERS} times what the
 * middle one of all DataNodes claims, whichever is more. So one DataNode gets no more than so many
 * times its share, whatever it says; a cluster with links of more than that must declare them.
 * Where most DataNodes lie nobody knows.
 */
public final class LinkClaims {
  static final double TIMES_OTHERS = 4;

  private LinkClaims() {}

  /**
   * The most that any link is believed to carry, bytes per second. O(claims log claims).
   *
   * @param claims of DataNodes, 0 for those that claim nothing; not changed
   * @param declared by the operator
   */
  public static double most(double[] claims, double declared) {
    double[] said = Arrays.stream(claims).filter(claim -> claim > 0).sorted().toArray();
    // Of two the smaller one.
    double middle = said.length == 0 ? 0 : said[(said.length - 1) / 2];
    return Math.max(declared, TIMES_OTHERS * middle);
  }
}
