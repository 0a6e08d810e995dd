package org.rackweave.cli.testbed.compare;

/**
 * What was measured of one encoding.
 *
 * @param dataBytes bytes encoded, parity not counted
 * @param seconds from the first byte to the last
 * @param crossRackBytes what all racks' uplinks carried out of their racks meanwhile, background
 *     load and other writes not counted
 * @param relocations blocks of a stripe that have to move before no rack has too many, over stripes
 * @param before seconds of other writes that were due before encoding began
 * @param during the same while it lasted
 */
@SuppressWarnings("ArrayRecordComponent")
record EncodeRun(
    long dataBytes,
    double seconds,
    long crossRackBytes,
    double relocations,
    double[] before,
    double[] during) {}
