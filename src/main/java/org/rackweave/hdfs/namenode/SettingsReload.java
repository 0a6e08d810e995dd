package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.rackweave.hdfs.AuditLog;
import org.rackweave.hdfs.PaperConstants;
import org.rackweave.hdfs.RackweaveConfig;
import org.rackweave.hdfs.RemovedKeys;
import org.rackweave.hdfs.StartOnly;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.hdfs.admin.AdminHandler;
import org.rackweave.rules.RuleSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the files of a NameNode's configuration again and puts Rackweave's settings in force, all
 * at once or none: one that is out of range is named, and nothing changes. What is {@link
 * StartOnly} stays as it was, and is named with the reason. HDFS's own settings are left to {@code
 * hdfs dfsadmin -reconfig}.
 *
 * <p>As with that, what is changed is changed in the NameNode's {@link Configuration}, which {@code
 * /conf} shows; what the command line of the NameNode says goes before its files.
 */
public final class SettingsReload implements AdminHandler {
  /** Name of the handler. */
  public static final String IDENTIFIER = "rackweave-reload";

  private static final Logger LOG = LoggerFactory.getLogger(SettingsReload.class);
  private static final String COMMAND_LINE = "from command line";

  private final Configuration inForce;
  private final Supplier<Configuration> files;
  private final Consumer<Consumer<RuleSet>> rules;
  private final Consumer<RackweaveConfig> put;
  private final Map<String, String> defaults;

  /**
   * @param inForce the NameNode's, where changes are made
   * @param files reads its files
   * @param rules has something done with the rules in force, which stay so meanwhile
   * @param put puts settings in force
   */
  SettingsReload(
      Configuration inForce,
      Supplier<Configuration> files,
      Consumer<Consumer<RuleSet>> rules,
      Consumer<RackweaveConfig> put) {
    this.inForce = inForce;
    this.files = files;
    this.rules = rules;
    this.put = put;
    Configuration documented = new Configuration(false);
    documented.addResource("rackweave-default.xml");
    defaults = PaperConstants.apart(documented);
  }

  /**
   * A setting that is another in the files.
   *
   * @param why it takes a restart, {@code null} when it is in force
   */
  private record Change(String name, String before, String after, String why) {
    @Override
    public String toString() {
      return name + ": " + before + " -> " + after + (why == null ? "" : ", at a restart: " + why);
    }
  }

  @Override
  public AdminAnswer answer(List<String> words) {
    if (!words.isEmpty()) {
      throw new IllegalArgumentException("nothing is expected behind " + IDENTIFIER);
    }
    AdminAnswer answer = new AdminAnswer().list("changes", List.of());
    rules.accept(
        said ->
            reload(said)
                .forEach(
                    change ->
                        answer.row(
                            "changes",
                            new AdminAnswer()
                                .with("setting", change.name())
                                .with("before", change.before())
                                .with("now", change.after())
                                .with("restart", change.why()))));
    return answer;
  }

  private List<Change> reload(RuleSet said) {
    Map<String, String> before = PaperConstants.apart(inForce);
    Configuration read = files.get();
    Map<String, String> after = PaperConstants.apart(read);
    for (Map.Entry<String, String> setting : before.entrySet()) {
      if (isOfTheCommandLine(setting.getKey())) {
        after.put(setting.getKey(), setting.getValue());
      }
    }
    RackweaveConfig.from(with(after), said); // all of it, as a restart would have it
    Set<String> names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    Map<String, String> next = new TreeMap<>(after);
    List<Change> changes = new ArrayList<>();
    for (String name : names) {
      String why = StartOnly.why(PaperConstants.key(name));
      if (why != null) {
        copy(name, before, next);
      }
      String was = shown(name, before);
      String is = shown(name, after);
      if (!was.equals(is)) {
        changes.add(new Change(name, was, is, why));
      }
    }
    Configuration latest = with(next);
    RackweaveConfig config = RackweaveConfig.from(latest, said);
    PaperConstants.together(next, inForce);
    put.accept(config);
    changes.forEach(change -> LOG.info("Setting {}", change));
    RemovedKeys.setIn(inForce).forEach(LOG::warn);
    audit(changes);
    return changes;
  }

  private boolean isOfTheCommandLine(String name) {
    String[] sources = inForce.getPropertySources(PaperConstants.file(name));
    return sources != null && Arrays.asList(sources).contains(COMMAND_LINE);
  }

  private static void copy(String name, Map<String, String> from, Map<String, String> to) {
    if (from.containsKey(name)) {
      to.put(name, from.get(name));
    } else {
      to.remove(name);
    }
  }

  private String shown(String name, Map<String, String> settings) {
    return settings.getOrDefault(name, defaults.getOrDefault(name, "default"));
  }

  /** HDFS's settings as they are, with these of Rackweave's. */
  private Configuration with(Map<String, String> settings) {
    Configuration conf = new Configuration(inForce);
    PaperConstants.together(settings, conf);
    return conf;
  }

  private static void audit(List<Change> changes) {
    String changed = changes.stream().map(Change::toString).collect(Collectors.joining("; "));
    try {
      AuditLog.changed("rackweaveReload", "/", changed.isEmpty() ? "nothing" : changed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
