package org.rackweave.cli.bench;

import java.util.Locale;

/**
 * What it takes to tell whether a block can join its stripe.
 *
 * @param n blocks of a stripe with parity
 * @param k blocks of data in it
 * @param racks of the cluster
 * @param c most blocks of a stripe in a rack
 * @param oursNs CPU time for one block, its rejected layouts included, nanoseconds
 * @param rebuildNs the same with a maximum flow built from scratch for every layout
 * @param drawsPerBlock layouts asked about for one block
 */
record EarMatchRow(
    int n, int k, int racks, int c, double oursNs, double rebuildNs, double drawsPerBlock)
    implements BenchLine {

  static String header() {
    return String.format(
        "%4s %4s %6s %3s %10s %11s %7s %6s",
        "n", "k", "racks", "c", "ours ns", "rebuild ns", "faster", "draws");
  }

  double speedUp() {
    return rebuildNs / oursNs;
  }

  @Override
  public String line() {
    return String.format(
        Locale.ROOT,
        "%4d %4d %6d %3d %10.1f %11.1f %7.1f %6.2f",
        n,
        k,
        racks,
        c,
        oursNs,
        rebuildNs,
        speedUp(),
        drawsPerBlock);
  }

  @Override
  public String json() {
    return String.format(
        Locale.ROOT,
        "{\"n\": %d, \"k\": %d, \"racks\": %d, \"c\": %d, \"ours_ns\": %.1f,"
            + " \"rebuild_ns\": %.1f, \"speed_up\": %.2f, \"draws_per_block\": %.3f}",
        n,
        k,
        racks,
        c,
        oursNs,
        rebuildNs,
        speedUp(),
        drawsPerBlock);
  }
}
