package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.testbed.SiteFragment;
import org.rackweave.cli.testbed.TestbedPolicy;

/**
 * Which HDFS properties a testbed needs for a method, beside those that it sets itself.
 *
 * @param <C> the methods
 */
interface SettingsOf<C extends Contender> {

  Map<String, String> of(C method, Tuning tuning) throws IOException;

  /**
   * What ships for a policy, then what an experiment cannot do without, then what is tuned, then
   * what the user wants.
   *
   * @param needed by the experiment, such as a path
   * @param tuned for the experiment, beside {@link Tuning#properties}
   */
  static Map<String, String> of(
      TestbedPolicy policy,
      Map<String, String> needed,
      Tuning tuning,
      Map<String, String> tuned,
      CompareOptions options)
      throws IOException {
    Map<String, String> all = new TreeMap<>(SiteFragment.active(policy));
    all.putAll(needed);
    if (tuning == Tuning.TUNED) {
      all.putAll(tuning.properties());
      all.putAll(tuned);
    }
    all.putAll(options.properties());
    return all;
  }
}
