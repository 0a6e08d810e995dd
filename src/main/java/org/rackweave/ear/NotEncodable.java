package org.rackweave.ear;

import java.util.List;

/**
 * That a stripe cannot be encoded where its blocks are now. {@link StripeAuditor} knows the moves
 * that would mend it.
 *
 * @param flaws why, at least one
 */
public record NotEncodable(List<StripeFlaw> flaws) implements EncodingAdvice {}
