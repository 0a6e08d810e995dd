package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.util.VersionInfo;
import org.rackweave.hdfs.AuditLog;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.RootMark;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.hdfs.admin.AdminHandler;
import org.rackweave.health.Finding;
import org.rackweave.health.HealthChecks;
import org.rackweave.history.Event;
import org.rackweave.telemetry.LinkSnapshot;
import org.rackweave.telemetry.LinkSource;
import org.rackweave.telemetry.NodeEstimate;

/**
 * Tells how a NameNode and its DataNodes do: {@code hdfs dfsadmin -refresh HOST:PORT
 * rackweave-health [status | doctor | nodes | events | mute CODE | unmute CODE]}. What is muted is
 * kept for the whole namespace.
 */
public final class HealthAdmin implements AdminHandler {
  /** Name of the handler. */
  public static final String IDENTIFIER = "rackweave-health";

  static final String MARK = "trusted.rackweave.health-muted";

  private static final String ALLOWED =
      "allowed is status, doctor, nodes, events, mute CODE or unmute CODE";
  private static final int EVENTS_TOLD = 500;

  /** Of a kind that happens often, so that others are seen beside it. */
  private static final int EVENTS_TOLD_OF_KIND = 50;

  private final NameNode nameNode;
  private final PlacementContext context;
  private final HealthMonitor monitor;
  private final Doctor doctor;
  private final RootMark muted;

  HealthAdmin(NameNode nameNode, PlacementContext context, HealthMonitor monitor) {
    this.nameNode = nameNode;
    this.context = context;
    this.monitor = monitor;
    doctor = new Doctor(nameNode, context, monitor);
    muted = new RootMark(nameNode, MARK);
  }

  @Override
  public AdminAnswer answer(List<String> words) throws IOException {
    String word = words.isEmpty() ? "status" : words.get(0);
    boolean isMute = word.equals("mute") || word.equals("unmute");
    if (words.size() > (isMute ? 2 : 1) || isMute && words.size() < 2) {
      throw new IllegalArgumentException("'" + String.join(" ", words) + "': " + ALLOWED);
    }
    return switch (word) {
      case "status" -> status(monitor.findings());
      case "doctor" -> status(doctor.findings());
      case "nodes" -> nodes();
      case "events" -> events();
      case "mute", "unmute" -> mute(words.get(1), word.equals("mute"));
      default -> throw new IllegalArgumentException("'" + word + "': " + ALLOWED);
    };
  }

  private AdminAnswer status(List<Finding> findings) throws IOException {
    Set<String> silenced = read();
    AdminAnswer answer =
        new AdminAnswer()
            .with("namenode", nameNode.getNameNodeAddressHostPortString())
            .with("role", nameNode.isActiveState() ? "active" : "standby")
            .with("version", version())
            .with("hadoop", VersionInfo.getVersion())
            .with("hadoop_of_datanodes", Doctor.datanodeVersions(context.state()))
            .with("configuration", PolicyAdvice.oursIn(nameNode.getConf()))
            .with("roles_directory", context.config().eafr().roles().directory())
            .with("modes", context.modes().inFull())
            .list("findings", List.of());
    for (Finding finding : findings) {
      answer.row(
          "findings",
          new AdminAnswer()
              .with("code", finding.code())
              .with("severity", finding.severity().name())
              .with("muted", silenced.contains(finding.code()) ? "yes" : "no")
              .with("summary", finding.summary())
              .with("what_to_do", finding.whatToDo())
              .list("details", finding.details()));
    }
    return answer.list("muted", silenced);
  }

  private static String version() {
    return Objects.requireNonNullElse(
        HealthAdmin.class.getPackage().getImplementationVersion(), "unpackaged");
  }

  private AdminAnswer nodes() {
    ClusterView state = context.state();
    if (state == null) {
      throw new IllegalStateException("there is no snapshot of the links yet");
    }
    AdminAnswer answer = new AdminAnswer().list("nodes", List.of());
    LinkSnapshot links = state.links();
    long nowMs = Time.monotonicNow();
    for (int node = 0; node < state.datanodes().length; node++) {
      DatanodeDescriptor datanode = state.datanodes()[node];
      NodeEstimate estimate = context.collector().estimate(datanode.getDatanodeUuid());
      long heardAtMs = estimate == null ? Long.MIN_VALUE : estimate.heardAtMs();
      boolean isMeasured = links.source(node) == LinkSource.MEASURED;
      answer.row(
          "nodes",
          new AdminAnswer()
              .with("node", links.topology().placeOf(node))
              .with("state", stateOf(state, node))
              .with("hadoop", datanode.getSoftwareVersion())
              .with("load", links.source(node).name().toLowerCase(Locale.ROOT))
              .with("link_mb_per_sec", links.hostCapacity(node) / 1e6)
              .with("rx_mb_per_sec", links.hostRx(node) / 1e6)
              .with("tx_mb_per_sec", links.hostTx(node) / 1e6)
              .with(
                  "heard_s_ago",
                  heardAtMs == Long.MIN_VALUE ? Double.NaN : (nowMs - heardAtMs) / 1000.0)
              .with("silent", isMeasured ? "" : monitor.whySilent(state, node, nowMs)));
    }
    return answer;
  }

  private static String stateOf(ClusterView state, int node) {
    DatanodeDescriptor datanode = state.datanodes()[node];
    if (!datanode.isAlive()) {
      return "dead";
    }
    return state.isSilent(node)
        ? "stale"
        : datanode.getAdminState().toString().toLowerCase(Locale.ROOT);
  }

  private AdminAnswer events() {
    AdminAnswer answer =
        new AdminAnswer()
            .with("namenode", nameNode.getNameNodeAddressHostPortString())
            .list("events", List.of());
    for (Event event : context.events().latest(EVENTS_TOLD, EVENTS_TOLD_OF_KIND, one -> true)) {
      answer.row("events", row(event));
    }
    return answer.with("not_kept", context.events().left());
  }

  static AdminAnswer row(Event event) {
    return new AdminAnswer()
        .with("at_ms", event.atMs())
        .with("time", Instant.ofEpochMilli(event.atMs()).toString())
        .with("kind", event.kind().label())
        .with("subject", event.subject())
        .with("text", event.text());
  }

  private AdminAnswer mute(String code, boolean isMuted) throws IOException {
    if (!HealthChecks.CODES.contains(code)) {
      throw new IllegalArgumentException(
          "code '" + code + "': allowed is one of " + HealthChecks.CODES);
    }
    if (!nameNode.isActiveState()) {
      throw new IllegalStateException("this NameNode is not active; use the active one");
    }
    Set<String> silenced = read();
    if (isMuted) {
      silenced.add(code);
    } else {
      silenced.remove(code);
    }
    String all = String.join(" ", silenced);
    muted.write(all.isEmpty() ? null : all);
    AuditLog.changed("rackweaveHealthMuted", "/", all);
    return status(monitor.findings());
  }

  private Set<String> read() throws IOException {
    String text = muted.read();
    return text == null || text.isBlank()
        ? new TreeSet<>()
        : new TreeSet<>(List.of(text.trim().split("\\s+")));
  }
}
