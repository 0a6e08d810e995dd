package org.rackweave.hdfs.namenode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.rackweave.hdfs.admin.AdminRefresh;
import org.rackweave.hdfs.dayu.RecoverySwitch;
import org.rackweave.hdfs.eafr.EafrAdmin;
import org.rackweave.hdfs.ear.EncodingAdmin;
import org.rackweave.hdfs.rules.RulesAdmin;
import org.rackweave.hdfs.web.PageAnswers;
import org.rackweave.hdfs.web.PageServlet.Source;
import org.rackweave.history.LinkHistory;

/**
 * What can be read on the page: answers that commands get, too, each to words that are fixed here
 * and change nothing, what links carried, and settings.
 */
final class PageSources {
  private PageSources() {}

  /** All of them, by name; handlers are looked up by identifier when somebody asks. */
  static Map<String, Source> of(
      Map<String, AdminRefresh> handlers, LinkHistory links, Configuration conf) {
    Map<String, Source> sources = new HashMap<>();
    sources.put("health", words(handlers, HealthAdmin.IDENTIFIER, "status"));
    sources.put("nodes", words(handlers, HealthAdmin.IDENTIFIER, "nodes"));
    sources.put("events", words(handlers, HealthAdmin.IDENTIFIER, "events"));
    sources.put("modes", words(handlers, RuntimeSwitch.IDENTIFIER, "status"));
    sources.put("shadow", words(handlers, ShadowAdmin.IDENTIFIER, "report"));
    sources.put("recovery", words(handlers, RecoverySwitch.IDENTIFIER, "report"));
    sources.put("stripes", words(handlers, EncodingAdmin.IDENTIFIER, "stripes"));
    sources.put("hot", words(handlers, EafrAdmin.IDENTIFIER, "hot"));
    sources.put("roles", words(handlers, EafrAdmin.IDENTIFIER, "roles"));
    sources.put("rules", words(handlers, RulesAdmin.IDENTIFIER, "list"));
    sources.put(
        "why", words(handlers, WhyAdmin.IDENTIFIER, "show", "node", "from", "until", "last"));
    sources.put("links", option -> PageAnswers.links(links, option));
    sources.put("settings", option -> PageAnswers.settings(conf));
    return sources;
  }

  private static Source words(
      Map<String, AdminRefresh> handlers, String identifier, String word, String... options) {
    return option -> {
      AdminRefresh handler = handlers.get(identifier);
      if (handler == null) {
        throw new IllegalStateException("this part of Rackweave has not started");
      }
      List<String> words = new ArrayList<>(List.of(word));
      for (String key : options) {
        String value = option.apply(key);
        if (value != null) {
          words.add(key + '=' + value);
        }
      }
      return handler.read(words);
    };
  }
}
