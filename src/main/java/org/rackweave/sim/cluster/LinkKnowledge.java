package org.rackweave.sim.cluster;

import org.rackweave.telemetry.LinkLedger;

/** What a policy knows of the links when it decides. */
@FunctionalInterface
public interface LinkKnowledge {
  /** The latest ledger, or {@code null} before the first. */
  LinkLedger ledger();
}
