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
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.rackweave.hdfs.AuditLog;
import org.rackweave.hdfs.ConfiguredRules;
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
  private final UnaryOperator<String> overruled;
  private final Map<String, String> defaults;
  private final Set<String> ofTheCommandLine;

  /**
   * @param inForce the NameNode's, where changes are made
   * @param files reads its files
   * @param rules has something done with the rules in force, which stay so meanwhile
   * @param put puts settings in force
   * @param overruled what counts in place of a key, {@code null} when nothing does
   */
  SettingsReload(
      Configuration inForce,
      Supplier<Configuration> files,
      Consumer<Consumer<RuleSet>> rules,
      Consumer<RackweaveConfig> put,
      UnaryOperator<String> overruled) {
    this.inForce = inForce;
    this.files = files;
    this.rules = rules;
    this.put = put;
    this.overruled = overruled;
    Configuration documented = new Configuration(false);
    documented.addResource("rackweave-default.xml");
    defaults = PaperConstants.apart(documented);
    ofTheCommandLine =
        PaperConstants.apart(inForce).keySet().stream()
            .map(PaperConstants::file)
            .filter(this::isOfTheCommandLine)
            .collect(Collectors.toSet());
  }

  /**
   * A setting that is another in the files.
   *
   * @param why it is not in force, {@code null} when it is
   */
  private record Change(String name, String before, String after, String why) {
    @Override
    public String toString() {
      return name + ": " + before + " -> " + after + (why == null ? "" : ", " + why);
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
                                .with("not_in_force", change.why()))));
    return answer;
  }

  private List<Change> reload(RuleSet said) {
    Map<String, String> before = PaperConstants.apart(inForce);
    Configuration read = files.get();
    checkThatTheyAreOurs(read);
    Map<String, String> after = PaperConstants.apart(read);
    after.keySet().removeIf(name -> ofTheCommandLine.contains(PaperConstants.file(name)));
    before.forEach(
        (name, value) -> {
          if (ofTheCommandLine.contains(PaperConstants.file(name))) {
            after.put(name, value);
          }
        });
    PaperConstants.together(after, read);
    RackweaveConfig.from(read, said); // as a restart would have it
    Map<String, String> next = new TreeMap<>(after);
    Set<String> names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    for (String name : names) {
      if (StartOnly.why(PaperConstants.key(name)) != null) {
        copy(name, before, next);
      }
    }
    RackweaveConfig config = RackweaveConfig.from(with(next), said);
    PaperConstants.together(next, inForce);
    put.accept(config);
    List<Change> changes = new ArrayList<>();
    for (String name : names) {
      String was = shown(name, before);
      String is = shown(name, after);
      if (!was.equals(is)) {
        changes.add(new Change(name, was, is, whyNotInForce(name)));
      }
    }
    changes.forEach(change -> LOG.info("Setting {}", change));
    RemovedKeys.setIn(inForce).forEach(LOG::warn);
    audit(changes);
    return changes;
  }

  /** Hadoop takes a file that is not there for an empty one, and all would be as by default. */
  private void checkThatTheyAreOurs(Configuration read) {
    String key = DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY;
    if (!isOfTheCommandLine(key)
        && !read.getTrimmedStringCollection(key)
            .contains(RackweaveNameNodePlugin.class.getName())) {
      throw new IllegalStateException(
          key
              + " = '"
              + read.get(key, "")
              + "' in the files of this NameNode's configuration: they are not there, or not those"
              + " that it was started with");
    }
  }

  private String whyNotInForce(String name) {
    String key = PaperConstants.key(name);
    String restart = StartOnly.why(key);
    if (restart != null) {
      return "at a restart: " + restart;
    }
    String removed = RemovedKeys.whyWithoutEffect(name, inForce);
    if (removed != null) {
      return removed;
    }
    boolean isRead =
        defaults.containsKey(name)
            || PaperConstants.isOne(key)
            || RemovedKeys.isStillRead(name)
            || name.equals(ConfiguredRules.CODES)
            || name.equals(ConfiguredRules.HEAT);
    return isRead ? overruled.apply(name) : "nobody reads it";
  }

  private boolean isOfTheCommandLine(String key) {
    String[] sources = inForce.getPropertySources(key);
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
