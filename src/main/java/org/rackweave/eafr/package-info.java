/**
 * EAFR: popular files get more replicas, and cold ones gather on servers that sleep (Lin, Shen,
 * "EAFR: An Energy-Efficient Adaptive File Replication System in Data-Intensive Clusters", IEEE
 * TPDS 28(4), 2017).
 *
 * <p><b>Goals.</b> Short queues for hot files, no space for unread replicas, servers that may
 * sleep, and copies that neither take long nor crowd a link.
 *
 * <p><b>Constraints.</b> No file below its own factor unless its rule says so. No block with all
 * its live replicas on cold servers. Budgets for space, for blocks in flight and for changes.
 * Racks, quotas, encoded files and snapshots as HDFS has them.
 *
 * <p><b>Algorithm.</b> Reads are counted by {@link org.rackweave.eafr.Popularity}. Each interval T
 * {@link org.rackweave.eafr.ReplicationPlanner} decides about files (Algorithm 1, Eq. 2 to 6), and
 * for each of their blocks {@link org.rackweave.eafr.ReplicaChoice} which replica goes (Eq. 7) and
 * {@link org.rackweave.eafr.LotteryPlacement} where one comes (Eq. 9 to 12). {@link
 * org.rackweave.eafr.RolePlanner} lets servers sleep and wakes them (Eq. 8), {@link
 * org.rackweave.eafr.RateAdjustment} sets the rates of copies (Algorithm 2), {@link
 * org.rackweave.eafr.ReadOrder} sends readers to replicas (Algorithm 3), {@link
 * org.rackweave.eafr.RepairPlacement} and {@link org.rackweave.eafr.RepairSource} re-create lost
 * replicas (Algorithm 4), and {@link org.rackweave.eafr.EnergyAccount} adds up the savings (Table
 * 2). Decisions are returned with the inequality they follow from; nothing here acts.
 *
 * <p><b>Misprints.</b>
 *
 * <ul>
 *   <li>Eq. 12 compares x with p_(j-1); the running sum up to j-1 is meant.
 *   <li>Section 3.3 orders servers by decreasing delay and gives the first most weight, but wants
 *       faster ones to be chosen more often: the fastest is first here.
 *   <li>Section 3.4 gives older connections priority, but by Eq. 15 as printed the one that loses
 *       least would also gain least. i counts from the oldest in Eq. 14 and from the youngest in
 *       Eq. 15.
 *   <li>Algorithm 1 lets a hot file grow at once; the text asks for Eq. 6 first, as is done here.
 *   <li>Algorithm 4 increases its counter only after a server was full; the text does after each
 *       replica, too, without which nothing would go round.
 * </ul>
 *
 * <p><b>Deviations from the paper.</b>
 *
 * <ul>
 *   <li>The factor is the file's, as in HDFS; the paper has blocks as files of their own. v is the
 *       mean over a file's blocks, and shares are over all replicas of all blocks. A single hot
 *       block of a long file does not raise it. With one block all is as printed.
 *   <li>r is the file's own factor unless a rule names one, and then never more than its own:
 *       installing this removes no replica that a user asked for.
 *   <li>Counts have an error, so hot is judged by what was read at least and cold by what was read
 *       at most. What is both hot and cold, possible with gamma below 1/2, is hot.
 *   <li>A file that might be hot with one replica less loses none: thresholds close together would
 *       make its factor swing. Cool-down and dwell alone would only slow that down.
 *   <li>Counts fade instead of starting anew with each interval, unless decay is 0.
 *   <li>Bounds on reads may be shares of what servers were seen to serve ({@link
 *       org.rackweave.eafr.ThresholdRule}), which is how it ships: the paper's numbers are of its
 *       disks and of an interval that it does not give.
 *   <li>A file that is hot for certain is raised before the interval is over, and however young it
 *       is. Which are cold is known only then.
 *   <li>A file that is far above tau_u may get several replicas at once, as many as bring it below
 *       (Eq. 2): with one at a time its readers would wait for interval after interval.
 *   <li>A server that has readers is overloaded (Eq. 6), too, when its link is full, or its rack's,
 *       however few they are and whatever fills it.
 *   <li>Nothing is taken that could not be given back: of a file with more blocks than may be
 *       copied at a time no replica goes that its user asked for.
 *   <li>Speed is kept for each destination, not for each pair: that is what Fig. 4 measures, and
 *       pairs of 25,000 servers do not fit in memory. Unknown servers count as average.
 *   <li>Equal servers share the weights of their ranks; a fixed order would send the first replicas
 *       of an idle cluster all to the same ones. Servers are ranked once for a snapshot, and a draw
 *       that falls on one which cannot take the replica is repeated, instead of ranking the rest
 *       anew.
 *   <li>Eq. 7 yields to HDFS's rack rule. Which standby server a replica migrates to is open in the
 *       paper: the fullest one with room, so that they become full, and sleep, one by one.
 *   <li>A server turns cold only if every block it has is awake elsewhere, which epsilon replicas
 *       on hot servers make likely and not certain; failures and files of factor 1 make it false.
 *   <li>A reader's own server comes before others in its rack. Equal queues are drawn, and readers
 *       sent since the last report count for as long as a read takes there, or all of them would go
 *       to one server meanwhile.
 *   <li>Readers leave their rack for servers that are not overloaded: by Algorithm 3 to the letter
 *       those of a rack queue at its busy servers while others idle.
 *   <li>Roles follow the load: servers are woken, and standby ones serve as hot, while too many
 *       read for those that serve, and none falls asleep that would be missed if another failed.
 *   <li>Repair counts the reads it has planned against a source's capacity, keeps one counter for
 *       hot and one for standby servers, takes the other kind when none of one fits, and gives a
 *       replica up to HDFS after one round; the paper would go round for ever.
 *   <li>HDFS asks its placement policy a block at a time, so sources and destinations are of one,
 *       the former within HDFS's limit of copies that wait for a server. A file counts as cold
 *       there by Eq. 4 alone.
 *   <li>A replica moves only where its block keeps as many racks as it has: HDFS would not delete
 *       the old one otherwise.
 *   <li>Rates are set, not TCP windows, which Java cannot; none goes above the link's own, and none
 *       is lowered below a least rate.
 * </ul>
 */
package org.rackweave.eafr;
