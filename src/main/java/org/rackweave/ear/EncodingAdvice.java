package org.rackweave.ear;

/** How to encode a stripe, or why not. */
public sealed interface EncodingAdvice permits EncodingPlan, NotEncodable {}
