package org.rackweave.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.rackweave.cli.HdfsCommand;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.eafr.EafrAdmin;
import org.rackweave.hdfs.ear.EncodingAdmin;
import org.rackweave.hdfs.namenode.HealthAdmin;
import org.rackweave.hdfs.namenode.RuntimeSwitch;
import org.rackweave.hdfs.rules.RulesAdmin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bin/rackweave uninstall --check}: what of a namespace depends on Rackweave yet. */
@Command(
    name = "bin/rackweave uninstall",
    description = {
      "Lists what still depends on Rackweave, in the order of the steps, with what to do:"
          + " left (do it now), done, last (with the restart that removes the jar, or after it),"
          + " unseen (the NameNode cannot know). Changes nothing. The exit code is 1 while"
          + " anything is left."
    })
public final class UninstallCommand extends HdfsCommand implements Callable<Integer> {
  private static final String LEFT = "left";
  private static final String LAST = "last";
  private static final String UNSEEN = "unseen";
  private static final String MARKS = "trusted.rackweave.";
  private static final String RULES_MARK = MARKS + "rules";
  private static final String ROLES = ConfigKeys.EAFR_ROLES;
  private static final String SLEEPERS = "DataNodes asleep or falling asleep";
  private static final String COLD = "cold"; // of RoleStore's directories
  private static final String WAKE = "eafr wake all";
  private static final String OF_DATANODES =
      "on every DataNode take Rackweave out of dfs.datanode.plugins,"
          + " rpc.engine.org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolPB and"
          + " io.erasurecode.codec.rs.rawcoders";

  private final ObjectNode answer = JsonNodeFactory.instance.objectNode();
  private ArrayNode items;
  private JsonNode rules = MissingNode.getInstance();

  @Option(names = "--check", required = true, description = "Only check; there is no other action.")
  private boolean check;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  /** Something that is checked. */
  @FunctionalInterface
  interface Part {
    void check() throws IOException;
  }

  public UninstallCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  public Integer call() throws IOException {
    begin();
    Map<String, String> failures = new LinkedHashMap<>();
    Map<String, ObjectNode> nameNodes =
        NameNodeAdmin.askAll(getConf(), HealthAdmin.IDENTIFIER, failures, "status");
    failures.forEach((name, why) -> add("NameNode " + name + ": " + why, 1, LEFT, "ask again"));
    part("features that are not off", () -> features(ask(RuntimeSwitch.IDENTIFIER, "status")));
    part(
        "encoded stripes", () -> stripes(ask(EncodingAdmin.IDENTIFIER, "stripes").path("figures")));
    part("rules", () -> rules = ask(RulesAdmin.IDENTIFIER, "list").path("rules"));
    part("replication factors", () -> factors(counted(), rules));
    part(SLEEPERS, () -> servers(nameNodes.values()));
    part("attributes of /", () -> marks(marks(), rules));
    nameNodes.forEach(this::configuration);
    unseen();
    out.print(json ? answer.toPrettyString() + "\n" : text());
    return answer.path(LEFT).asInt() == 0 ? 0 : EXIT_FAILURE;
  }

  private ObjectNode ask(String service, String... words) throws IOException {
    return NameNodeAdmin.askActive(getConf(), service, words);
  }

  /** What cannot be checked is left, and the others are checked all the same. */
  void part(String what, Part part) {
    try {
      part.check();
    } catch (IOException e) {
      String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      add(what, 1, LEFT, "could not be checked: " + why);
    }
  }

  /** The NameNode looks at all files, a second's work at a time. */
  private ObjectNode counted() throws IOException {
    try (NameNodeAdmin nameNode = NameNodeAdmin.connect(getConf(), EafrAdmin.IDENTIFIER)) {
      ObjectNode counted = nameNode.ask("factors");
      while (counted.path("state").asText().equals("running")) {
        counted = nameNode.ask("factors-more");
      }
      return counted;
    }
  }

  private void servers(Collection<ObjectNode> nameNodes) throws IOException {
    if (nameNodes.stream().anyMatch(one -> !one.findValues(ROLES).isEmpty())) {
      servers(ask(EafrAdmin.IDENTIFIER, "roles"));
      return;
    }
    Set<String> directories = new TreeSet<>();
    nameNodes.forEach(one -> directories.add(one.path("roles_directory").asText()));
    if (directories.isEmpty() || directories.contains("")) {
      servers(MissingNode.getInstance());
      return;
    }
    long records = 0;
    try (FileSystem hdfs = FileSystem.newInstance(getConf())) {
      for (String directory : directories) {
        records += count(hdfs, new Path(directory, COLD));
      }
    }
    add(SLEEPERS, records, LEFT, "set " + ROLES + " back, restart, " + say(WAKE));
  }

  private static int count(FileSystem hdfs, Path directory) throws IOException {
    try {
      return hdfs.listStatus(directory).length;
    } catch (FileNotFoundException e) {
      return 0; // no DataNode has ever slept
    }
  }

  /** Names of the root directory's attributes, which a superuser sees. */
  private List<String> marks() throws IOException {
    try (FileSystem hdfs = FileSystem.newInstance(getConf())) {
      return hdfs.listXAttrs(new Path("/")).stream().filter(one -> one.startsWith(MARKS)).toList();
    }
  }

  ObjectNode begin() {
    items = answer.put(LEFT, 0).putArray("items");
    return answer;
  }

  private void add(String what, long count, String state, String whatToDo) {
    item(what, count, count == 0 ? "done" : state, count == 0 ? "" : whatToDo);
  }

  /**
   * @param count what the NameNode answers; none is no zero
   */
  private void add(String what, JsonNode count, String state, String whatToDo) {
    if (count.isIntegralNumber()) {
      add(what, count.asLong(), state, whatToDo);
    } else {
      item(what, 1, UNSEEN, "the NameNode does not say; " + whatToDo);
    }
  }

  private void item(String what, long count, String state, String whatToDo) {
    ObjectNode item = items.addObject().put("what", what).put("count", count).put("state", state);
    item.put("what_to_do", whatToDo);
    answer.put(LEFT, answer.path(LEFT).asInt() + (state.equals(LEFT) ? 1 : 0));
  }

  private String say(String words) {
    return name().replaceFirst(" uninstall$", "") + ' ' + words;
  }

  void features(JsonNode status) {
    long count = 0;
    for (JsonNode mode : status.path("modes")) {
      count += mode.asText().equals("off") ? 0 : 1;
    }
    boolean isKnown = !status.path("modes").isEmpty();
    String what = "features that are not off";
    add(what, isKnown ? LongNode.valueOf(count) : MissingNode.getInstance(), LEFT, say("mode off"));
    long agents = status.path("datanodes_measured").asLong(); // others may have silent ones
    item("DataNodes with agents", agents, agents > 0 ? LAST : UNSEEN, OF_DATANODES);
  }

  void stripes(JsonNode figures) {
    add("encoded stripes", figures.path("stripes"), LEFT, say("decode --path /"));
    JsonNode unreadable = figures.path("unreadable_records");
    add("parity files without a record", unreadable, LEFT, "the NameNode's log names them");
    add("files to be restored", figures.path("files_restored_or_waiting"), LEFT, "wait");
    add("stripes being decoded", figures.path("stripes_being_given_up"), LEFT, "wait");
    JsonNode kept = figures.path("replicas_of_deleted_blocks_kept");
    add("replicas of deleted blocks that are kept", kept, LEFT, "wait");
  }

  /** Without a rule of heat EAFR gives nothing back. */
  void factors(JsonNode counted, JsonNode rules) {
    String rule = rules.findValues("heat").isEmpty() ? say("rules set / heat=none") + " && " : "";
    String what = "files with a factor that EAFR has set";
    add(what, counted.path("files"), LEFT, rule + say("eafr restore"));
    add(
        "files with one replica in a snapshot and more now",
        counted.path("files_of_one_in_snapshots"),
        LEFT,
        "delete snapshots taken while files were encoded: when such a file is deleted, stock HDFS"
            + " keeps one replica of its blocks for them");
  }

  void servers(JsonNode roles) {
    add(SLEEPERS, roles.path("servers_cold"), LEFT, say(WAKE) + ", and wait");
    String directory = "delete what " + ConfigKeys.EAFR_ROLES_DIRECTORY + " names";
    add("standby DataNodes", roles.path("servers_standby"), LAST, directory);
  }

  /** Stock HDFS takes no notice of these; rules of the configuration go with it. */
  void marks(List<String> names, JsonNode rules) {
    boolean areKept = names.contains(RULES_MARK);
    for (String path : rules.findValuesAsText("path")) {
      String whatToDo = areKept ? say("rules remove " + path) : "delete it in hdfs-site.xml";
      add("rule of " + path, 1, areKept ? LEFT : LAST, whatToDo);
    }
    for (String name : names) {
      String whatToDo = "without the jar: hdfs dfs -setfattr -x " + name + " /";
      if (!name.equals(RULES_MARK)) {
        add(name + " of /", 1, LAST, whatToDo);
      }
    }
  }

  void configuration(String nameNode, JsonNode status) {
    JsonNode keys = status.path("configuration");
    for (String key : (Iterable<String>) keys::fieldNames) {
      String what = key + " = " + keys.path(key).asText() + " on " + nameNode;
      add(what, 1, LAST, "delete what is Rackweave's, and restart");
    }
  }

  private void unseen() {
    String clients = "clients with DegradedReadFileSystem in fs.hdfs.impl";
    add(clients, 1, UNSEEN, "delete it, when the last file is decoded");
    String movers = "hosts of the Balancer and the Mover with Rackweave's policy";
    add(movers, 1, UNSEEN, "delete it in their hdfs-site.xml, with the same restart");
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (JsonNode item : items) {
      String count = item.path("count").asText();
      text.append(
          String.format(
              "%-7s%8s  %s%n", item.path("state").asText(), count, item.path("what").asText()));
      String whatToDo = item.path("what_to_do").asText();
      text.append(whatToDo.isEmpty() ? "" : String.format("%17s%s%n", "", whatToDo));
    }
    return text.append(answer.path(LEFT).asInt()).append(" left\n").toString();
  }
}
