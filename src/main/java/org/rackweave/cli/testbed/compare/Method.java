package org.rackweave.cli.testbed.compare;

import java.util.Map;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.testbed.TestbedPolicy;

/**
 * Who takes part in a comparison.
 *
 * @param policy who places blocks
 * @param settings of the NameNode that it changes while it runs
 * @param itself the method with the settings that were asked for first, null for that itself
 */
record Method(
    String label, String colour, TestbedPolicy policy, Map<String, String> settings, Method itself)
    implements Contender {

  /** A method that changes nothing but who places blocks. */
  static Method of(String label, String colour, TestbedPolicy policy) {
    return new Method(label, colour, policy, Map.of(), null);
  }

  /** A method that is stock's placement with other settings. */
  static Method stock(String label, String colour, Map<String, String> settings) {
    return new Method(label, colour, TestbedPolicy.STOCK, settings, null);
  }

  /** A method beside itself, with other settings of the testbed. */
  Method retuned(Tuning tuning) {
    String other = colour.equals("sinbad") ? "sixth" : "seventh";
    return new Method(label + "-" + tuning.label(), other, policy, settings, this);
  }

  boolean isStock() {
    return policy == TestbedPolicy.STOCK;
  }

  /** Whether a contender is this method, with whichever settings. */
  boolean is(Contender contender) {
    return equals(contender) || contender instanceof Method one && equals(one.itself());
  }
}
