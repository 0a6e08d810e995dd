package org.rackweave.hdfs.web;

import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.ConfigRedactor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.history.LinkHistory;
import org.rackweave.history.LinkTable;

/** Answers that only the page asks for. */
public final class PageAnswers {
  private PageAnswers() {}

  /**
   * What links carried: of racks from {@code since=MS} on, or with {@code rack=RACK} of its
   * DataNodes. Shares are one byte each in per cent, 255 where not known, by frame and then by
   * name, in Base64.
   */
  public static AdminAnswer links(LinkHistory history, UnaryOperator<String> option) {
    String rack = option.apply("rack");
    String since = option.apply("since");
    List<LinkHistory.Frame> frames = history.since(since == null ? 0 : Long.parseLong(since));
    LinkTable table =
        rack == null ? LinkTable.ofRacks(frames) : LinkTable.ofDataNodes(frames, rack);
    return new AdminAnswer()
        .with("now_ms", Time.now())
        .with("step_ms", history.stepMs())
        .list("names", table.names())
        .list("at_ms", Arrays.stream(table.atMs()).boxed().toList())
        .with("rx", Base64.getEncoder().encodeToString(table.rx()))
        .with("tx", Base64.getEncoder().encodeToString(table.tx()));
  }

  /**
   * Rackweave's settings: of each its value, what it is by default, and where it comes from. Values
   * are as they are written, with no variable filled in; what Hadoop takes for a secret is left
   * out.
   */
  public static AdminAnswer settings(Configuration conf) {
    Configuration documented = new Configuration(false);
    documented.addResource("rackweave-default.xml");
    Map<String, String> all = new TreeMap<>();
    documented.forEach(setting -> all.put(setting.getKey(), setting.getValue()));
    conf.forEach(setting -> all.put(setting.getKey(), setting.getValue()));
    ConfigRedactor redactor = new ConfigRedactor(conf);
    AdminAnswer answer = new AdminAnswer();
    all.forEach(
        (key, value) -> {
          if (key.startsWith("rackweave.")) {
            String[] sources = conf.getPropertySources(key); // null where it is not set
            answer.row(
                "settings",
                new AdminAnswer()
                    .with("key", key)
                    .with("value", redactor.redact(key, value))
                    .with("default", documented.getRaw(key))
                    .with("source", sources == null ? null : String.join(", ", sources)));
          }
        });
    return answer;
  }
}
