/**
 * How busy every link is: what DataNodes report on their heartbeats, how the reports become
 * smoothed estimates, and which link has most room right now.
 *
 * <ul>
 *   <li><b>Measured</b>, by each DataNode's agent: {@link org.rackweave.telemetry.LinkMeter} makes
 *       {@link org.rackweave.telemetry.LinkRates} out of counters read several times a second, with
 *       half-lives in seconds; each report carries those of its moment.
 *   <li><b>In</b>: {@link org.rackweave.telemetry.ReportReader} decodes a heartbeat's payload;
 *       {@link org.rackweave.telemetry.NodeEstimate} keeps what a link carries now: as its agent
 *       sees it, or from cumulative counters (Sinbad, section 6.2).
 *   <li><b>Held</b>: {@link org.rackweave.telemetry.UtilisationCollector}, one estimate per known
 *       DataNode. This is soft state: a NameNode that restarts or takes over learns it again from
 *       two heartbeats of each DataNode; a standby receives the same heartbeats and stays warm.
 *       Bound: the number of DataNodes in the topology.
 *   <li><b>Out</b>: {@link org.rackweave.telemetry.LinkSnapshot}, immutable; {@link
 *       org.rackweave.telemetry.LinkLedger}, the snapshot plus what has been promised to transfers
 *       since it was taken (hysteresis), answering "best link next" in O(log n).
 * </ul>
 *
 * <p>Pure: bytes, counters and times come in as arguments.
 */
package org.rackweave.telemetry;
