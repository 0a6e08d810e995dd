package org.rackweave.sim.encoding;

/**
 * What encoding one stripe took.
 *
 * @param startedNanos when its blocks began to be read
 * @param endedNanos when all was written and relocated
 * @param dataBytes of its data blocks
 * @param crossRackDownloads data blocks read from another rack than the encoder's
 * @param crossRackUploads parity blocks written to another rack than the encoder's
 * @param relocations data blocks that could not stay where a replica of theirs was
 */
public record EncodedStripe(
    long startedNanos,
    long endedNanos,
    double dataBytes,
    int crossRackDownloads,
    int crossRackUploads,
    int relocations) {}
