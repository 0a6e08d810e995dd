package org.rackweave.sim.encoding;

/**
 * What encoding one stripe took.
 *
 * @param startedNanos when its blocks began to be read
 * @param endedNanos when all was written and relocated
 * @param encoder node that encoded it
 * @param dataBytes of its data blocks
 * @param crossRackDownloads data blocks read from another rack than the encoder's
 * @param crossRackUploads parity blocks written to another rack than the encoder's
 * @param relocations blocks too many on a node or in a rack before anything was relocated
 */
public record EncodedStripe(
    long startedNanos,
    long endedNanos,
    int encoder,
    double dataBytes,
    int crossRackDownloads,
    int crossRackUploads,
    int relocations) {}
