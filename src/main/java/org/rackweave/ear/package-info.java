/**
 * EAR: replicas are placed so that the stripes they will be encoded into need nothing from other
 * racks and nothing relocated (Li, Hu, Lee, "Enabling Efficient and Reliable Transition from
 * Replication to Erasure Coding for Clustered File Systems", DSN 2015).
 *
 * <p>The life of a stripe: {@link org.rackweave.ear.EarPlacement} gives a block its replicas and a
 * {@link org.rackweave.ear.Seat} among {@link org.rackweave.ear.OpenStripes}; with k blocks it
 * becomes a {@link org.rackweave.ear.SealedStripe}; {@link org.rackweave.ear.EncodingPlanner}
 * decides which node reads, which replicas stay and where parity goes; {@link
 * org.rackweave.ear.StripeAuditor} checks it before and after. {@link
 * org.rackweave.ear.StripeLayout} is the feasibility all of them share.
 *
 * <p><b>Deviations from the paper.</b>
 *
 * <ul>
 *   <li>A layout is judged when the first replica outside the core rack is proposed, without the
 *       third one, which stands beside it. A layout that only its third replica could save is drawn
 *       again; at c = 1 there is none, and beyond they are rarer than one in a thousand. In return
 *       the judgement is a filter in front of HDFS's admission, and any ranking works behind it.
 *   <li>Draws are bounded, and after them every rack is tried once: "no layout" means that there is
 *       none which HDFS admits. Then the block opens another stripe; the paper redraws without end.
 *   <li>A core rack may have several open stripes, so that one which found no layout for one block
 *       need not be closed. Stripes are sealed short by age, or when there are too many, if parity
 *       takes fewer blocks than replicas give back; the paper knows full stripes only.
 *   <li>Racks may differ in size, come and go. A rack holds the smaller of c and its nodes; when R'
 *       racks cannot hold n blocks, a stripe gets more target racks. The paper has R equal racks.
 *   <li>Where the writer is no DataNode, the core rack is that of a random node, so that a rack is
 *       chosen in proportion to its nodes; in the paper racks are equal.
 *   <li>The first parity block goes to the encoding node itself where the limit of its rack allows,
 *       which spares one transfer across racks; data keep replicas elsewhere then.
 *   <li>The core rack of a sealed stripe is looked up anew before it is encoded: if replicas have
 *       moved and another target rack has all blocks, that one encodes.
 * </ul>
 */
package org.rackweave.ear;
