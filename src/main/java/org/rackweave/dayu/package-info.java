/**
 * Dayu: lost replicas are re-created slot by slot; sources, targets and rates follow from the
 * bandwidth that is idle at the moment (Wang, Zhang, Wang, Yang, Zhu, "Dayu: Fast and
 * Low-interference Data Recovery in Very-large Storage Systems", USENIX ATC 2019).
 *
 * <p><b>Goals</b> (section 3). Use all idle bandwidth; finish each copy within its slot; leave no
 * large stragglers. Above all: a block with fewer live replicas comes first.
 *
 * <p><b>Constraints.</b> One replica a node, HDFS's spread over racks, storage type and space; what
 * recovery may use of a node and of a rack's link, in either direction (Eq. 1).
 *
 * <p><b>Algorithm.</b> {@link org.rackweave.dayu.RecoveryPlanner} turns a {@link
 * org.rackweave.dayu.RecoverySnapshot} and a {@link org.rackweave.dayu.RecoveryBatch} into a {@link
 * org.rackweave.dayu.RecoveryPlan}. Sources and destinations come from an {@link
 * org.rackweave.dayu.Algorithm}: ours, the paper's, or one of those it compares with. Rates come
 * from iterative WSS or from the deadline. {@link org.rackweave.dayu.IdealMakespan} says how good a
 * plan could be, {@link org.rackweave.dayu.Brake} whether to recover at all.
 *
 * <p>Exact: destinations of {@code dayu} for blocks of one size (they are greedy's, up to equals),
 * {@code hull} where no two nodes share a bucket, WSS. Heuristic: sources (within 1 to 4 % of a
 * lower bound), blocks of mixed sizes, destinations where few racks forbid most places.
 *
 * <p><b>Deviations from the paper.</b>
 *
 * <ul>
 *   <li>{@code dayu} chooses for all tasks of a slot at once: destinations by a level and a deal
 *       instead of a step for each task, sources by greedy and sweeps that mend it. It is faster
 *       and, for sources, better. The paper's hull stays as {@code hull}.
 *   <li>Links of racks are bottlenecks like nodes; the paper leaves that to the reader. {@code
 *       hull} and {@code g2} know them as limits, but rank by nodes only. {@code dayu} takes every
 *       copy to cross racks until its nodes are known.
 *   <li>Priorities are planned one after another; the paper has none. A running copy of lower
 *       priority keeps no urgent block waiting: it waits at its source, and has the lesser share of
 *       links.
 *   <li>HDFS cannot resume a copy: {@link org.rackweave.dayu.DayuSettings.Stragglers#RESTART} keeps
 *       stragglers and gives them a new rate, unless a new copy is done sooner. The paper's way is
 *       {@code RESUME}. A straggler that alone saturates a link is not evicted from it.
 *   <li>A slot that could carry more than is left aims at the moment at which all could be done,
 *       not at its end ({@link org.rackweave.dayu.DayuSettings.Aim#BACKLOG}); one straggler would
 *       else take all of the last slot. A copy that its rate should have done by now is judged by
 *       its speed, not by what its links are said to have.
 *   <li>Slots may overlap: a plan looks one slot ahead and is made anew when more is known, with
 *       every heartbeat in HDFS. Links whose copies were few, or done early, are filled up at once
 *       and not only with the next slot; see {@link org.rackweave.dayu.Timeslot}.
 *   <li>A source makes few copies at a time and is told of few more: {@link
 *       org.rackweave.dayu.SourceStreams}. The paper has all of a slot's go side by side; what is
 *       half done when its way becomes crowded would be slow, and the next plan knows better.
 *   <li>Nodes whose links others fill are spared as destinations where another has room and time
 *       for the copy; the paper knows only how much is idle.
 *   <li>What a copy that is held up cannot use of its rate is given to others over its links.
 *   <li>Whether a copy begun anew would be sooner goes by what the links of racks yield to copies
 *       under way, and where nobody knows what holds the old one up it has to take half the time:
 *       {@link org.rackweave.dayu.StragglingCopies}.
 *   <li>Blocks that fit no slot go to idle links and take several slots; the paper would skip them
 *       for ever.
 *   <li>B_min is capped at a share of slow links. Underemployed nodes are looked for among nodes
 *       that hold a candidate, since in small clusters those that hold none would be all there are.
 *   <li>Algorithms that draw respect S, rules and space, but not the slot of a single node. The
 *       deadline rate s / T gives way to the fair share of a link that cannot carry it.
 *   <li>{@code g2} uses a tournament for the paper's red-black tree; both find the lightest node.
 * </ul>
 *
 * <p>Pure: bandwidth, progress and times come in as arguments, and so does randomness.
 */
package org.rackweave.dayu;
