package org.rackweave.hdfs.rules;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.rackweave.eafr.PathRules;
import org.rackweave.ear.PathCodes;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Placing;
import org.rackweave.hdfs.RackweaveConfig;
import org.rackweave.hdfs.RuleWords;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.hdfs.admin.AdminHandler;
import org.rackweave.hdfs.admin.AdminRequest;
import org.rackweave.rules.PathTable;
import org.rackweave.rules.RuleSet;

/**
 * Where {@code bin/rackweave rules} reaches a NameNode: {@code hdfs dfsadmin -refresh host:port
 * rackweave-rules list | get PATH | set PATH WORD=VALUE... | remove PATH [WORD...] | test PATH}.
 * Answers are {@code rules}, of each its path and its words, or {@code features}: of each its mode,
 * what it does with the path, and the directory that says so.
 */
public final class RulesAdmin implements AdminHandler {
  /** Name of the handler. */
  public static final String IDENTIFIER = "rackweave-rules";

  private static final String ALLOWED =
      "allowed is one of list, get PATH, set PATH WORD=VALUE..., remove PATH [WORD...], test PATH";

  private static final String ALL_FILES = "all files alike";

  private final NamespaceRules rules;
  private final Supplier<RuleSet> configured;
  private final Supplier<RackweaveConfig> config;
  private final Supplier<FeatureModes> modes;

  /**
   * @param configured rules that the configuration has
   */
  public RulesAdmin(
      NamespaceRules rules,
      Supplier<RuleSet> configured,
      Supplier<RackweaveConfig> config,
      Supplier<FeatureModes> modes) {
    this.rules = rules;
    this.configured = configured;
    this.config = config;
    this.modes = modes;
  }

  @Override
  public AdminAnswer answer(List<String> args) {
    String what = args.isEmpty() ? "list" : args.get(0);
    if (what.equals("list") && args.size() <= 1) {
      return told(all().directories());
    }
    boolean takesWords = what.equals("set") || what.equals("remove");
    if (args.size() < 2 || (args.size() > 2 && !takesWords)) {
      throw new IllegalArgumentException("'" + String.join(" ", args) + "': " + ALLOWED);
    }
    String path = AdminRequest.path(Map.of("path", args.get(1)));
    List<String> words = args.subList(2, args.size());
    switch (what) {
      case "set" -> rules.set(path, words);
      case "remove" -> rules.remove(path, words);
      case "test" -> {
        return test(path);
      }
      case "get" -> {}
      default -> throw new IllegalArgumentException("'" + what + "': " + ALLOWED);
    }
    return told(all().of(path).isEmpty() ? List.of() : List.of(path));
  }

  private RuleSet all() {
    return RuleWords.over(rules.inForce(), configured.get());
  }

  private AdminAnswer told(Collection<String> directories) {
    AdminAnswer answer = new AdminAnswer().list("rules", List.of());
    for (String directory : directories) {
      AdminAnswer rule = new AdminAnswer().with("path", directory);
      all().of(directory).forEach(rule::with);
      answer.row("rules", rule);
    }
    return answer;
  }

  private AdminAnswer test(String path) {
    RackweaveConfig now = config.get();
    AdminAnswer answer = new AdminAnswer();
    Placing placing = now.placing().of(path);
    add(
        answer,
        placing == Placing.ODDS ? Feature.HEAT : Feature.PLACEMENT,
        switch (placing == null ? Placing.NETWORK : placing) {
          case NETWORK -> "new blocks go where the network has room";
          case ODDS -> "new blocks go to hot servers by their odds";
          case STOCK -> "stock HDFS places new blocks";
        },
        path,
        Placing.WORD);
    add(
        answer,
        Feature.STRIPES,
        now.ear()
            .paths()
            .of(path)
            .map(code -> "encoded by " + code.name() + now.ear().paths().termsOf(path).inWords())
            .orElse("not encoded"),
        path,
        PathCodes.CODE);
    add(
        answer,
        Feature.HEAT,
        now.eafr()
            .paths()
            .of(path)
            .map(rule -> "replicas follow the readers, " + rule.inWords())
            .orElse("keeps its replicas"),
        path,
        PathRules.HEAT);
    for (Feature feature : List.of(Feature.SLEEP, Feature.RECOVERY, Feature.READ_ORDER)) {
      add(answer, feature, ALL_FILES, path, null);
    }
    return answer;
  }

  private void add(AdminAnswer answer, Feature feature, String what, String path, String leader) {
    answer.row(
        "features",
        new AdminAnswer()
            .with("feature", feature.label())
            .with("mode", modes.get().of(feature).name().toLowerCase(Locale.ROOT))
            .with("does", what)
            .with("rule_of", leader == null ? null : nearest(path, leader)));
  }

  /** The directory whose rule counts, {@code null} for none. */
  private String nearest(String path, String leader) {
    SortedMap<String, String> leading = new TreeMap<>();
    all().read(leader, words -> leader).keySet().forEach(one -> leading.put(one, one));
    return new PathTable<>(leading).of(path);
  }
}
