package org.rackweave.cli.testbed.compare;

import java.util.List;
import org.rackweave.cli.testbed.Host;
import org.rackweave.cli.testbed.Rack;

/** Where in a hot rack the background load comes from and goes to. */
public enum BackgroundOrigin {
  /** No background load at all. */
  NONE {
    @Override
    List<Host> hosts(Rack rack) {
      return List.of();
    }
  },

  /**
   * Other work on the DataNodes' machines: it passes their network cards, so agents see it. This is
   * the cluster Sinbad was made for.
   */
  DATANODES {
    @Override
    List<Host> hosts(Rack rack) {
      return rack.dataNodes();
    }
  },

  /**
   * A machine of the rack that is no DataNode. It loads the rack's uplink, and nobody who measures
   * at DataNodes can see it.
   */
  OTHERS {
    @Override
    List<Host> hosts(Rack rack) {
      return List.of(rack.background());
    }
  };

  /** The hosts of a rack at which its background connections end. */
  abstract List<Host> hosts(Rack rack);
}
