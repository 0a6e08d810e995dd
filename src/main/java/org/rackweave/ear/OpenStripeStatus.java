package org.rackweave.ear;

/**
 * An open stripe at one moment.
 *
 * @param id of the stripe
 * @param coreRack path of its core rack
 * @param blocks members whose ids are known
 * @param unbound seats taken by blocks whose ids are not
 * @param accepting whether it lets more blocks in
 * @param isWorthParity whether encoding the blocks there are would save enough
 * @param openedAtMs when its first block came
 */
public record OpenStripeStatus(
    long id,
    String coreRack,
    int blocks,
    int unbound,
    boolean accepting,
    boolean isWorthParity,
    long openedAtMs) {}
