package org.rackweave.hdfs.hook;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** A place where code of ours runs in a process of HDFS. Each has a metric of its own. */
public enum Hook {
  // The start of a NameNode.
  GUARDS("Encoded data has no guards here: a NameNode that has any stays in safe mode"),

  // Timers of a NameNode.
  MODE("The mode stays as it is for now"),
  RULES("The rules for directories stay as they are for now"),
  UNGUARDED_HOLD("Nobody has looked this time whether encoded data runs without its guards"),
  SNAPSHOT("The last snapshot of the links stays in use"),
  REPORTS("Agents' reports are read next time"),
  HEALTH("Events and health are looked after next time"),
  BLACK_BOX("Events, loads and decisions are written to the black box next time"),
  WRITE_TIMES("Write times are neither measured nor compared for now"),
  ENCODING("Encoding pauses and goes on"),
  STRIPE_SEARCH("The search for blocks to encode broke off and begins anew"),
  EAFR("EAFR pauses and goes on"),
  SERVER_ROLES("Servers' roles pause and go on"),
  RECOVERY("Stock HDFS makes lost replicas again until planning works"),
  RECOVERY_WATCH("Nobody has looked after recovery this time"),
  RECOVERY_GOAL("Recovery goes on at the share of bandwidth that it has"),

  // Calls of DataNodes, in a NameNode.
  HEARTBEAT("Copies stay with the sources that HDFS has drawn"),
  HEARTBEAT_ANSWER("A DataNode is answered as by stock HDFS"),
  DELETIONS("A DataNode is told of no deletion until it reports its blocks anew"),
  REPLICAS_RECEIVED("A report of replicas goes to HDFS as it is"),
  DATANODE_QUESTION("A DataNode's question is not answered"),

  // Calls of clients and operators, in a NameNode.
  CLIENT_CALL("Stripes were not told of a block; it is in none until the next look"),
  FILE_GUARD("A change of a file that may be encoded was refused"),
  READ_CALL("A client's call was not counted"),
  COMMAND("An operator's command has failed"),
  PAGE("The page /rackweave is missing, or was asked in vain"),
  FSCK("fsck deletes and moves nothing"),

  // Decisions of a NameNode.
  PLACEMENT("Stock placement acts"),
  DECISION_RECORD("A decision is not kept for those who ask why"),
  COPY_SOURCE("The source that HDFS has drawn sends"),
  EXCESS_REPLICAS("Stock HDFS chooses the replicas that go"),
  READ_ORDER("Stock HDFS sorts replicas for a reader"),

  // A DataNode.
  AGENT_START("A NameNode gets heartbeats without reports"),
  AGENT_REPORT("A heartbeat goes out without a report"),
  AGENT_REPLY("Nothing is done of what a NameNode's reply asks for; HDFS follows it"),
  AGENT_CLOSE("An agent was not ended in order"),
  LINK_SAMPLE("A link's rates are missing from the next report, or are from a moment ago"),
  EARLY_HEARTBEAT("A change of a link's load is reported with the next regular heartbeat"),
  READ_COUNTS("A read was not counted"),
  DECODE_LISTEN("Clients cannot have missing blocks decoded here, or are not watched; tried again"),
  DECODE_ACCEPT("A client that reads a missing block was not accepted"),
  DECODE_REQUEST("A missing block was not decoded for a client"),
  DECODE_ANNOUNCE("NameNodes do not know yet that this DataNode decodes"),
  TRANSFER_START("A copy was not begun; the NameNode orders it again"),
  TRANSFER_PACE("A copy goes on without a limit"),
  TRANSFER_LAPSE("Copies keep their rates a little longer without a NameNode"),

  // Both.
  METRICS("Figures are missing from a record of metrics"),
  WATCHDOG("Nobody has looked after the timers this time");

  private static final Set<Hook> TIMERS =
      EnumSet.of(
          MODE,
          RULES,
          UNGUARDED_HOLD,
          SNAPSHOT,
          REPORTS,
          HEALTH,
          BLACK_BOX,
          WRITE_TIMES,
          ENCODING,
          STRIPE_SEARCH,
          EAFR,
          SERVER_ROLES,
          RECOVERY,
          RECOVERY_WATCH,
          RECOVERY_GOAL,
          LINK_SAMPLE,
          DECODE_LISTEN,
          DECODE_ANNOUNCE,
          WATCHDOG);

  private final String consequence;

  Hook(String consequence) {
    this.consequence = consequence;
  }

  /** What happens instead when our code fails, for people. */
  String consequence() {
    return consequence;
  }

  /** Whether it is called again and again by a {@link HookTimer}. */
  public boolean isTimer() {
    return TIMERS.contains(this);
  }

  /** The name for people. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The name in metrics. */
  String camel() {
    StringBuilder text = new StringBuilder();
    for (String word : name().split("_")) {
      text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return text.toString();
  }
}
