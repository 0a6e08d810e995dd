package org.rackweave.ear;

import org.rackweave.placement.PlacementDecision;

/**
 * Where a block's replicas go, and its seat in a stripe.
 *
 * @param placement the nodes, or why stock placement must act
 * @param seat to be bound to the block's id, or released when the block is not written after all;
 *     {@code null} when the block is in no stripe
 * @param outcome which stripe, or why none
 * @param draws layouts judged until one fitted, 1 when the first did; 0 without a seat
 */
public record EarDecision(
    PlacementDecision placement, Seat seat, StripeOutcome outcome, int draws) {}
