package org.rackweave.cli.testbed;

/**
 * What a link has carried since the testbed began, counted as it left the shaper: what the shaper
 * dropped is not in it. Ethernet headers are, exactly as the shaper counts them.
 *
 * @param rxBytes towards the host, or from the core into the rack
 * @param txBytes from the host, or out of the rack to the core
 */
public record LinkBytes(long rxBytes, long txBytes) {

  /** What has been carried since {@code earlier}. */
  public LinkBytes since(LinkBytes earlier) {
    return new LinkBytes(rxBytes - earlier.rxBytes, txBytes - earlier.txBytes);
  }
}
