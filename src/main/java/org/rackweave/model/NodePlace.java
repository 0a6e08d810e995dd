package org.rackweave.model;

import java.util.Objects;

/**
 * Where one DataNode stands.
 *
 * @param name unique name, for display and for tie-breaks (the DataNode's UUID or address)
 * @param rackPath network location as HDFS writes it, {@code /rack} or {@code /hall/rack}
 * @param faultDomain upgrade domain, or {@code null} when the operator assigned none
 */
public record NodePlace(String name, String rackPath, String faultDomain) {
  public NodePlace {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(rackPath, "rackPath");
  }
}
