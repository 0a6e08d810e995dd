package org.rackweave.eafr;

/**
 * What a file is, apart from its replicas.
 *
 * @param sizeBytes length, which is what one replica of it takes
 * @param blocks its blocks
 * @param writtenMs when it was last written
 */
public record FileShape(long sizeBytes, int blocks, long writtenMs, FileKind kind) {}
