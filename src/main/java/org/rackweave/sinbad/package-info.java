/**
 * Sinbad: replicas of a block go where the network is free (Chowdhury, Kandula, Stoica, "Leveraging
 * Endpoint Flexibility in Data-Intensive Clusters", SIGCOMM 2013).
 *
 * <p>{@link org.rackweave.sinbad.SinbadPlacement} selects links for one request (Pseudocode 2),
 * {@link org.rackweave.sinbad.RequestQueue} orders the requests of a decision interval (OPT',
 * section 5.2). Measuring and hysteresis (section 6.2) live in {@code telemetry}.
 *
 * <p><b>Deviations from the paper.</b>
 *
 * <ul>
 *   <li>Section 2 has r = 3 replicas in two racks, Pseudocode 2 spreads them over r racks. Both are
 *       offered ({@link org.rackweave.sinbad.Spread}); the default is the former, which is stock
 *       HDFS's spread.
 *   <li>A rack is ranked by the narrower of its link and its best hosts' links instead of its link
 *       alone (section 6.3 mentions the generalisation): a free rack link leads nowhere when every
 *       host behind it is busy.
 *   <li>A link silent for long comes back as fully loaded and is trusted again as its average
 *       falls; the paper treats a missing update as a full one but leaves the return open.
 *   <li>Equal links are drawn at random in proportion to their hosts; the paper sorts and takes the
 *       first, which would fill an idle cluster from one end.
 *   <li>Off unless asked for: transfers this NameNode ordered are told from what others load
 *       ({@link org.rackweave.telemetry.LinkLedger}). The paper averages all load alike, which
 *       tells short writes of our own from lasting load of others only slowly.
 * </ul>
 */
package org.rackweave.sinbad;
