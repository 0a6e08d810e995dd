package org.rackweave.sim.workload;

/**
 * One line of an HDFS audit log.
 *
 * @param atMs the line's own time in milliseconds since 1970, read as if it were UTC; only
 *     differences mean something
 * @param allowed whether the NameNode did it
 * @param client address it came from; empty where the log has none
 * @param command as logged, for instance {@code open} or {@code rename (options=[OVERWRITE])}
 * @param source path it was about; empty where the log has {@code null}
 * @param destination second path; empty where the log has {@code null}
 */
public record AuditEvent(
    long atMs, boolean allowed, String client, String command, String source, String destination) {}
