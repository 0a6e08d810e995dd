package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeProtocolService;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.util.ServicePlugin;
import org.apache.hadoop.util.Time;
import org.rackweave.eafr.ServerRole;
import org.rackweave.hdfs.ActiveTerm;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.RackweaveConfig;
import org.rackweave.hdfs.RemovedKeys;
import org.rackweave.hdfs.WebHdfsInterceptor;
import org.rackweave.hdfs.admin.AdminHandler;
import org.rackweave.hdfs.admin.AdminRefresh;
import org.rackweave.hdfs.dayu.NameNodeRecovery;
import org.rackweave.hdfs.dayu.RecoveryCluster;
import org.rackweave.hdfs.dayu.RecoverySwitch;
import org.rackweave.hdfs.durability.Survey;
import org.rackweave.hdfs.eafr.EafrAdmin;
import org.rackweave.hdfs.eafr.EafrService;
import org.rackweave.hdfs.eafr.ReadInterceptor;
import org.rackweave.hdfs.eafr.WebFactorInterceptor;
import org.rackweave.hdfs.ear.ClientInterceptor;
import org.rackweave.hdfs.ear.EncodingAdmin;
import org.rackweave.hdfs.ear.EncodingService;
import org.rackweave.hdfs.ear.StripeSearch;
import org.rackweave.hdfs.ear.WebHdfsFilter;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.hdfs.hook.HookMetrics;
import org.rackweave.hdfs.hook.HookTimer;
import org.rackweave.hdfs.roles.ServerRoles;
import org.rackweave.hdfs.roles.WakeHold;
import org.rackweave.hdfs.rules.NamespaceRules;
import org.rackweave.hdfs.rules.RulesAdmin;
import org.rackweave.hdfs.trial.CanaryService;
import org.rackweave.hdfs.web.PageServlet;
import org.rackweave.sinbad.Spread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rackweave inside a NameNode: name this class in {@code dfs.namenode.plugins}. Listens to
 * heartbeats on every RPC server of the NameNode, keeps the snapshot of the links fresh, and offers
 * both to the placement policy through {@link PlacementContexts}. Runs on a standby as well, so
 * that a failover finds it warm.
 */
public class RackweaveNameNodePlugin implements ServicePlugin, Configurable {
  private static final Logger LOG = LoggerFactory.getLogger(RackweaveNameNodePlugin.class);
  private static final String METRICS_NAME = "Rackweave";
  private static final String RECOVERY_METRICS_NAME = "RackweaveRecovery";
  private static final String EAFR_METRICS_NAME = "RackweaveEafr";

  /** Reports do not wait longer than this to be read, however rare snapshots are. */
  private static final long READING_INTERVAL_MS = 250;

  private Configuration conf;
  private RackweaveConfig config;
  private NameNode nameNode;

  /** See {@link #bridge}. */
  private NameNodeBridge bridge;

  private PlacementContext context;
  private ClusterMode mode;
  private HookTimer snapshots;

  private NamespaceRules rules;

  /** {@code null} where it has not started, as the next one. */
  private EncodingService encoding;

  private StripeSearch search;

  /** {@code null} where encoded data has its guards. */
  private volatile UnguardedHold hold;

  /** {@code null} where there is not even a context. */
  private HealthMonitor health;

  /** {@code null} for none. */
  private BlackBox blackBox;

  /** {@code null} where it has not started. */
  private CanaryService canaries;

  private EafrService eafr;
  private NameNodeRecovery recovery;

  /** What answers operators, by its name. */
  private final Map<String, AdminRefresh> handlers = new ConcurrentHashMap<>();

  private String eafrMetricsName;
  private String metricsName;
  private String recoveryMetricsName;

  /**
   * Reads the configuration. HDFS calls this before it starts its plugins, and a NameNode does not
   * start when it throws.
   *
   * @throws IllegalArgumentException naming the key, the value and the allowed range
   */
  @Override
  public void setConf(Configuration newConf) {
    conf = newConf;
    config = newConf == null ? null : RackweaveConfig.from(newConf);
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public void start(Object service) {
    nameNode = (NameNode) service;
    if (!HookGuard.run(Hook.GUARDS, this::startGuards)) {
      encoding = null;
      if (context != null) {
        HookGuard.run(Hook.GUARDS, this::listen); // deletions do not wait for it
      }
      hold("The log above has the reason; correct it and restart.");
      IllegalStateException unguarded =
          new IllegalStateException("what guards encoded data has not started");
      if (context != null) {
        HookGuard.run(
            Hook.HEALTH,
            () -> {
              startHealth();
              health.notStarted("the guards of encoded data", unguarded);
            });
      }
      throw unguarded;
    }
    String address = nameNode.getNameNodeAddressHostPortString();
    // Before what may fail: whoever watches these gauges has to see what else did not start.
    HookMetrics.publish();
    metricsName =
        register(METRICS_NAME, "Rackweave placement and telemetry", context.metrics(), address);
    AdminHandler modeSwitch = new RuntimeSwitch(context, mode, address);
    answer(RuntimeSwitch.IDENTIFIER, AdminRefresh.atOnce(modeSwitch, bridge()::checkSuperuser));
    answer(SettingsReload.IDENTIFIER, reload());
    answer(WhyAdmin.IDENTIFIER, new WhyAdmin(context, bridge().files(), this::roleOf));
    answer(ShadowAdmin.IDENTIFIER, new ShadowAdmin(context));
    startCanaries();
    startHealth();
    answer(
        RulesAdmin.IDENTIFIER,
        new RulesAdmin(rules, () -> ConfiguredRules.of(conf), context::config, context::modes));
    search.start();
    answer(EncodingAdmin.IDENTIFIER, encoding.admin());
    try {
      startRecovery();
      health.recoveryStarted(recovery);
      recoveryMetricsName =
          register(RECOVERY_METRICS_NAME, "Rackweave recovery", recovery.metrics(), address);
      startEafr();
      eafrMetricsName =
          register(
              EAFR_METRICS_NAME, "Replicas that follow their readers", eafr.metrics(), address);
    } catch (IOException e) {
      health.notStarted("recovery or EAFR", e);
      throw new UncheckedIOException(e);
    } catch (RuntimeException | Error e) {
      health.notStarted("recovery or EAFR", e);
      throw e;
    }
    LOG.info("Rackweave started on {}: {}", address, PolicyAdvice.of(conf));
    LOG.info("Rackweave settings: {}", config);
    if (!PolicyAdvice.unknownHadoop().isEmpty()) {
      LOG.warn(
          "Rackweave is not tested for Hadoop {}; hooks that do not fit are left to stock HDFS:"
              + " {}",
          PolicyAdvice.unknownHadoop(),
          HookGuard.unlinked().isEmpty() ? "none so far" : HookGuard.unlinked());
    }
    RemovedKeys.setIn(conf).forEach(LOG::warn);
    for (String command : ConfiguredRules.advice(conf)) {
      LOG.warn(
          "A rule of the configuration is in force, but belongs in the namespace: {}", command);
    }
  }

  private void startCanaries() {
    canaries =
        new CanaryService(
            nameNode,
            context.trials(),
            () -> context.mode(Feature.PLACEMENT),
            () -> context.modes().isActive(Feature.HEAT) && context.config().eafr().isOn(),
            context.breaker());
    canaries.start();
    answer(CanaryService.IDENTIFIER, canaries);
  }

  private ServerRole roleOf(String uuid) {
    return eafr == null ? ServerRole.HOT : eafr.roleOf(uuid);
  }

  /** {@code null} for none: of the default, too, where it cannot be made. */
  private Path blackBoxDirectory() {
    if (config.blackBoxes() == null) {
      return null;
    }
    Path directory = BlackBox.directory(config.blackBoxes(), nameNode);
    if (conf.getTrimmed(ConfigKeys.BLACK_BOX_DIRECTORY, "").isEmpty()) {
      try {
        BoxDirectory.make(directory);
      } catch (IOException | RuntimeException e) {
        LOG.info("No black box: {}; {} is not set", e.toString(), ConfigKeys.BLACK_BOX_DIRECTORY);
        return null;
      }
    }
    return directory;
  }

  private void startHealth() {
    health = new HealthMonitor(nameNode, context);
    Path directory = blackBoxDirectory();
    if (directory != null) {
      blackBox = new BlackBox(directory, context, context.events(), health.linkHistory());
      health.keepIn(blackBox);
      blackBox.start();
    }
    health.start();
    answer(HealthAdmin.IDENTIFIER, new HealthAdmin(nameNode, context, health));
    HookGuard.run(
        Hook.PAGE,
        () ->
            PageServlet.install(
                nameNode.getHttpServer(),
                PageSources.of(handlers, health.linkHistory(), conf),
                bridge()::checkSuperuser));
  }

  /** Made when it is first asked for, since what holds a NameNode without guards needs it, too. */
  private synchronized NameNodeBridge bridge() {
    if (bridge == null) {
      bridge = bridgeTo(nameNode);
    }
    return bridge;
  }

  /** For tests, which may stand between. */
  protected NameNodeBridge bridgeTo(NameNode started) {
    return NameNodeBridge.of(started);
  }

  private SettingsReload reload() {
    return new SettingsReload(
        conf,
        HdfsConfiguration::new,
        rules::whileInForce,
        latest -> {
          RackweaveConfig before = context.config();
          boolean isModeAnother =
              !latest.modes().equals(before.modes())
                  || latest.dayu().anyPolicy() != before.dayu().anyPolicy();
          context.setConfig(latest);
          if (isModeAnother) {
            HookGuard.run(Hook.MODE, mode::configured);
          }
        },
        key ->
            key.equals(ConfigKeys.MODE) && mode.isSaid()
                ? "a mode set by command takes precedence"
                : null);
  }

  private void hold(String whatToDo) {
    hold =
        new UnguardedHold(
            nameNode,
            this::bridge,
            config.ear().parityDirectory(),
            (context == null ? config : context.config()).ear().isOn(),
            whatToDo,
            this::listenToClients);
    hold.begin();
  }

  /** Comes first: whatever else fails, encoded data is safe from then on. */
  private void startGuards() throws IOException {
    NetworkTopology network =
        nameNode.getNamesystem().getBlockManager().getDatanodeManager().getNetworkTopology();
    context =
        new PlacementContext(
            config, network, () -> bridge().blocks().staleMs(), Time.monotonicNow());
    rules =
        new NamespaceRules(
            nameNode,
            said -> RackweaveConfig.from(conf, said),
            said -> context.setConfig(RackweaveConfig.from(conf, said)));
    rules.start();
    encoding =
        new EncodingService(
            nameNode,
            bridge(),
            conf,
            context.stripes(),
            context.work(),
            () -> Objects.requireNonNull(context.state(), "no snapshot of the cluster yet"),
            () -> context.mode(Feature.STRIPES));
    search = new StripeSearch(nameNode, context.stripes(), encoding);
    guardFsck(nameNode.getHttpServer());
    WebHdfsInterceptor.install(
        nameNode.getHttpServer(), WebHdfsFilter.class, WebHdfsFilter.GUARD, encoding.guard());
    listen();
    mode = new ClusterMode(nameNode, context);
    mode.start();
    snapshots = new HookTimer("rackweave-snapshots");
    snapshots.every(
        Hook.SNAPSHOT, config.snapshotIntervalMs(), () -> context.refresh(Time.monotonicNow()));
    if (config.snapshotIntervalMs() > READING_INTERVAL_MS) {
      snapshots.every(
          Hook.REPORTS, READING_INTERVAL_MS, () -> context.readReports(Time.monotonicNow()));
    }
    context.attach();
    encoding.start();
  }

  private void startRecovery() throws IOException {
    recovery =
        new NameNodeRecovery(
            nameNode,
            bridge().reconstruction(),
            conf,
            () -> context.config().dayu(),
            new Survey(nameNode, bridge().replicas(), encoding.walk()),
            new NameNodeRecovery.Environment(
                context.recovery(), this::recoveryCluster, context.events()));
    listen();
    recovery.start();
    answer(RecoverySwitch.IDENTIFIER, recovery.admin());
  }

  private void startEafr() throws IOException {
    WakeHold wakeHold = null;
    if (config.eafr().roles().isOn()) {
      wakeHold = new WakeHold(() -> ServerRoles.longestHoldMs(context.config().eafr().roles()));
      context.holdCopies(wakeHold, () -> ActiveTerm.of(nameNode));
    }
    eafr =
        new EafrService(
            nameNode,
            bridge(),
            () -> context.config().eafr(),
            wakeHold,
            new EafrService.Environment(
                context::state,
                context::modes,
                path -> context.config().ear().paths().of(path).isPresent(),
                context::setDestinations,
                context::setReadRouting,
                recovery::choosesCopies,
                mode::say,
                config.collector().staleAfterMs(),
                context.events()));
    context.collector().listen(eafr);
    listen();
    WebHdfsInterceptor.install(
        nameNode.getHttpServer(), WebFactorInterceptor.class, WebFactorInterceptor.LISTENER, eafr);
    eafr.start();
    answer(EafrAdmin.IDENTIFIER, eafr.admin());
  }

  private void answer(String identifier, AdminHandler handler) {
    answer(identifier, AdminRefresh.inTurn(handler, bridge()::checkSuperuser));
  }

  /** Has those answered who refresh what has this name. */
  private void answer(String identifier, AdminRefresh handler) {
    handlers.put(identifier, handler);
    RefreshRegistry.defaultRegistry().register(identifier, handler);
  }

  private void guardFsck(HttpServer2 web) {
    web.setAttribute(GuardedFsck.ENCODING, encoding);
    web.addInternalServlet("fsck", "/fsck", GuardedFsck.class, true);
  }

  private RecoveryCluster recoveryCluster() {
    ClusterView state = context.state();
    RackweaveConfig latest = context.config();
    return new RecoveryCluster(
        state,
        context.mode(Feature.RECOVERY),
        context.areCopiesHeld(),
        state != null && context.isStale(state.links(), Time.monotonicNow()),
        latest.coverageMin(),
        latest.spread() == Spread.DISTINCT_RACKS);
  }

  private void listen() throws IOException {
    int maxLength =
        conf.getInt(
            CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH,
            CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH_DEFAULT);
    BlockingService hdfs =
        DatanodeProtocolService.newReflectiveBlockingService(
            new DatanodeProtocolServerSideTranslatorPB(nameNode.getRpcServer(), maxLength));
    for (RPC.Server server : bridge().rpcServers()) {
      server.addProtocol(
          RPC.RpcKind.RPC_PROTOCOL_BUFFER,
          DatanodeProtocolPB.class,
          new HeartbeatInterceptor(hdfs, context, encoding, recovery, eafr));
    }
    listenToClients();
  }

  /** Also when a NameNode is found to have encoded data and no guards, at any time. */
  private synchronized void listenToClients() throws IOException {
    BlockingService hdfs =
        ClientNamenodeProtocol.newReflectiveBlockingService(
            new ClientNamenodeProtocolServerSideTranslatorPB(nameNode.getRpcServer()));
    BlockingService intercepted =
        encoding == null
            ? hdfs
            : new ClientInterceptor(
                hdfs,
                context.stripes(),
                encoding.guard(),
                encoding.decoding(),
                encoding.outsideWork(bridge()::checkSuperuser),
                context.trials());
    if (eafr != null) {
      intercepted = new ReadInterceptor(intercepted, eafr.counting(), eafr);
    }
    if (hold != null) {
      intercepted = hold.intercept(intercepted);
    }
    for (RPC.Server server : bridge().rpcServers()) {
      server.addProtocol(
          RPC.RpcKind.RPC_PROTOCOL_BUFFER, ClientNamenodeProtocolPB.class, intercepted);
    }
  }

  /** Several NameNodes of one JVM share a metrics system, in which names are unique. */
  private static String register(String name, String about, MetricsSource source, String address) {
    String unique =
        DefaultMetricsSystem.instance().getSource(name) == null
            ? name
            : name + "-" + address.replace(':', '-');
    DefaultMetricsSystem.instance().register(unique, about, HookMetrics.guarded(source));
    return unique;
  }

  @Override
  public void stop() {
    if (hold != null) {
      hold.close();
    }
    handlers.forEach(RefreshRegistry.defaultRegistry()::unregister);
    handlers.clear();
    if (health != null) {
      health.close();
    }
    if (blackBox != null) {
      blackBox.close();
    }
    if (canaries != null) {
      canaries.close();
    }
    if (mode != null) {
      mode.close();
    }
    if (rules != null) {
      rules.close();
    }
    if (snapshots != null) {
      snapshots.closeNow();
    }
    if (encoding != null) {
      search.close();
      encoding.close();
    }
    if (recovery != null) {
      recovery.close();
      DefaultMetricsSystem.instance().unregisterSource(recoveryMetricsName);
    }
    if (eafr != null) {
      eafr.close();
      DefaultMetricsSystem.instance().unregisterSource(eafrMetricsName);
    }
    if (context != null) {
      context.close();
      DefaultMetricsSystem.instance().unregisterSource(metricsName);
    }
  }

  @Override
  public void close() throws IOException {
    stop();
  }
}
