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
  UNGUARDED_HOLD("The check for unguarded encoded data was skipped once"),
  SNAPSHOT("The last snapshot of the links stays in use"),
  REPORTS("Agents' reports are read next time"),
  HEALTH("Events and health are updated next time"),
  BLACK_BOX("The black box is written in the next round"),
  WRITE_TIMES("Write times are not compared for now"),
  ENCODING("Encoding pauses and continues"),
  STRIPE_SEARCH("The search for blocks to encode starts again"),
  EAFR("EAFR pauses and continues"),
  SERVER_ROLES("Changes of DataNodes' roles pause and continue"),
  RECOVERY("Stock HDFS recovers lost replicas until planning works"),
  RECOVERY_WATCH("The supervision of recovery was skipped once"),
  RECOVERY_GOAL("Recovery keeps its share of bandwidth"),

  // Calls of DataNodes, in a NameNode.
  HEARTBEAT("Copies stay with the sources that HDFS has drawn"),
  HEARTBEAT_ANSWER("A DataNode is answered as by stock HDFS"),
  DELETIONS("A DataNode gets no deletion order until its next block report"),
  REPLICAS_RECEIVED("A report of replicas is passed to HDFS unchanged"),
  DATANODE_QUESTION("A DataNode's question is not answered"),

  // Calls of clients and operators, in a NameNode.
  CLIENT_CALL("A new block joins no stripe until the next search"),
  FILE_GUARD("A change of a file that may be encoded was refused"),
  READ_CALL("A client's call was not counted"),
  COMMAND("An operator's command has failed"),
  PAGE("The page /rackweave is missing, or a request of it failed"),
  FSCK("fsck deletes and moves nothing"),

  // Decisions of a NameNode.
  PLACEMENT("Stock placement acts"),
  DECISION_RECORD("A decision is not recorded for 'why'"),
  COPY_SOURCE("A copy keeps the source that HDFS has drawn"),
  EXCESS_REPLICAS("Stock HDFS chooses the replicas to remove"),
  READ_ORDER("Stock HDFS sorts replicas for a reader"),

  // A DataNode.
  AGENT_START("A NameNode gets heartbeats without reports"),
  AGENT_REPORT("A heartbeat is sent without a report"),
  AGENT_REPLY("Rackweave's part of a NameNode's reply is ignored"),
  AGENT_CLOSE("An agent was not closed cleanly"),
  LINK_SAMPLE("A link's rates are missing in the next report, or slightly old"),
  EARLY_HEARTBEAT("A change of a link's load is reported with the next regular heartbeat"),
  READ_COUNTS("A read was not counted"),
  DECODE_LISTEN("Missing blocks are not decoded here for now"),
  DECODE_ACCEPT("A client that reads a missing block was not accepted"),
  DECODE_REQUEST("A missing block was not decoded for a client"),
  DECODE_ANNOUNCE("NameNodes do not know the decode port yet"),
  TRANSFER_START("A copy was not started; the NameNode orders it again"),
  TRANSFER_PACE("A copy continues without a rate"),
  TRANSFER_LAPSE("Copies keep their rates a little longer without a NameNode"),

  // Both.
  METRICS("Some metrics are missing once"),
  WATCHDOG("The supervision of timers was skipped once");

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
