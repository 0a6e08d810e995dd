/**
 * What placement and telemetry cost a NameNode, next to what stock HDFS costs, measured in one
 * process on one NameNode: {@code bin/rackweave bench}.
 *
 * <p>{@link org.rackweave.cli.bench.SimulatedCluster} is a real NameNode whose DataNodes are only
 * registrations and heartbeats; {@link org.rackweave.cli.bench.Stopwatch} compares two pieces of
 * work by thread CPU time, in turns. {@link org.rackweave.cli.bench.RsEncodeBench} does the same
 * for Reed-Solomon coders, {@link org.rackweave.cli.bench.EarMatchBench} for stripes; they need no
 * cluster. Nothing here is a test: machines differ, ratios within one run much less.
 */
package org.rackweave.cli.bench;
