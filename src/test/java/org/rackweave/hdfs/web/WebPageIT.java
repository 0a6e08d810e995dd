package org.rackweave.hdfs.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.hdfs.namenode.RackCluster;

/** The page on the web server of a real NameNode. */
@Tag("newest-hadoop")
class WebPageIT {
  private static final String NASTY = "/data/<script>alert('&\"')<b>";
  private static final Set<String> NAMES =
      Set.of(
          "events",
          "health",
          "hot",
          "links",
          "modes",
          "nodes",
          "recovery",
          "roles",
          "rules",
          "settings",
          "shadow",
          "stripes",
          "why");

  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static RackCluster cluster;
  private static String page;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = RackCluster.conf();
    conf.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
        "org.apache.hadoop.hdfs.server.blockmanagement.RackweaveBlockPlacementPolicy");
    conf.set(ConfiguredRules.HEAT, "/data=adapt max=3");
    cluster = RackCluster.start(conf, 2, 2).awaitCoverage();
    page =
        "http://"
            + NetUtils.getHostPortString(cluster.mini().getNameNode().getHttpAddress())
            + "/rackweave";
    cluster.write(NASTY, 2, 2);
    RackCluster.await("stripes are known", () -> !data("stripes").has("unavailable"));
    RackCluster.await("links are known", () -> data("links").path("names").size() == 2);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void noMoreFaults() {
    HookGuard.inject(null);
  }

  private static HttpResponse<byte[]> call(String method, String path, String... headers)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(page + path)).method(method, BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return HTTP.send(request.build(), BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static JsonNode data(String nameAndOptions) {
    try {
      HttpResponse<byte[]> response = call("GET", "/data/" + nameAndOptions);
      assertEquals(200, response.statusCode(), nameAndOptions);
      assertEquals("application/json;charset=utf-8", type(response), nameAndOptions);
      return new ObjectMapper().readTree(response.body());
    } catch (IOException e) {
      throw new AssertionError(nameAndOptions, e);
    }
  }

  private static String type(HttpResponse<?> response) {
    return response.headers().firstValue("Content-Type").orElse("").replace(" ", "");
  }

  private static String text(HttpResponse<byte[]> response) {
    return new String(response.body(), StandardCharsets.UTF_8);
  }

  private static PageServlet.Content content() {
    return (PageServlet.Content)
        cluster.mini().getNameNode().getHttpServer().getAttribute(PageServlet.CONTENT);
  }

  @Test
  void pageHasItsOwnScriptAndStyleAndAllowsNoOther() throws Exception {
    HttpResponse<byte[]> html = call("GET", "");
    assertEquals(200, html.statusCode());
    assertEquals("text/html;charset=utf-8", type(html));
    assertFalse(text(html).matches("(?s).*(<script>|<style|style=|onclick|http:|https:).*"));
    String allowed = html.headers().firstValue("Content-Security-Policy").orElse("");
    assertTrue(allowed.startsWith("default-src 'none'"), allowed);
    assertFalse(allowed.contains("unsafe"), allowed);
    assertEquals("text/javascript;charset=utf-8", type(call("GET", "/page.js")));
    assertEquals("text/css;charset=utf-8", type(call("GET", "/page.css")));
    assertFalse(text(call("GET", "/page.js")).matches("(?s).*(innerHTML|outerHTML|eval\\().*"));
  }

  @Test
  void everythingThatIsShownCanBeRead() {
    assertEquals(new TreeSet<>(NAMES), new TreeSet<>(content().sources().keySet()));
    Set<String> unavailable = new HashSet<>();
    for (String name : NAMES) {
      if (data(name).has("unavailable")) {
        unavailable.add(name);
      }
    }
    assertEquals(Set.of("roles"), unavailable, "servers have no roles here");
    assertEquals("active", data("health").path("role").asText());
    assertEquals(4, data("nodes").path("nodes").size());
    assertEquals(2, data("links?rack=/r0").path("names").size());
  }

  @Test
  void decisionsOfARackAndATimeAreFound() {
    assertEquals(2, data("why?node=/r0").path("decisions").size());
    assertEquals(0, data("why?node=/r").path("decisions").size());
    long nowMs = System.currentTimeMillis();
    assertEquals(0, data("why?node=/r0&from=" + nowMs).path("decisions").size());
    assertEquals(2, data("why?node=/r0&until=" + nowMs).path("decisions").size());
  }

  @Test
  void pathsAreDataOnly() throws Exception {
    JsonNode decision = data("why").path("decisions").path(0);
    assertEquals(NASTY, decision.path("path").asText());
    HttpResponse<byte[]> response = call("GET", "/data/why");
    assertEquals("nosniff", response.headers().firstValue("X-Content-Type-Options").orElse(""));
    HttpResponse<byte[]> refused =
        call("GET", "/data/why?last=" + URLEncoder.encode(NASTY, StandardCharsets.UTF_8));
    assertEquals(400, refused.statusCode());
    assertEquals("application/json;charset=utf-8", type(refused));
  }

  @Test
  void nothingThatChangesAnythingIsReachable() throws Exception {
    String modes = data("modes").path("modes").toString();
    String rules = data("rules").toString();
    for (String name : NAMES) {
      for (String method : List.of("POST", "PUT", "DELETE", "PATCH")) {
        assertEquals(405, call(method, "/data/" + name).statusCode(), method + ' ' + name);
      }
    }
    assertEquals(0, call("OPTIONS", "/data/health").body().length);
    for (String path :
        List.of(
            "/data/reload",
            "/data/mode",
            "/data/rackweave-reload",
            "/data/health/mute",
            "/data/none",
            "/data/",
            "/none",
            "/../rackweave/data/rackweave")) {
      assertEquals(404, call("GET", path).statusCode(), path);
    }
    data("health?mute=NO_AGENTS&word=mute&code=NO_AGENTS");
    data("modes?off&mode=off&words=off");
    data("rules?set=/x&path=/x&placing=stock");
    data("recovery?go&word=go");
    data("hot?apply&plan=1&top=3");
    assertEquals(0, data("health").path("muted").size());
    assertEquals(modes, data("modes").path("modes").toString());
    assertEquals(rules, data("rules").toString());
  }

  @Test
  void answersAreZippedForThoseWhoTakeThat() throws Exception {
    HttpResponse<byte[]> zipped = call("GET", "/data/settings", "Accept-Encoding", "gzip");
    assertEquals("gzip", zipped.headers().firstValue("Content-Encoding").orElse(""));
    try (GZIPInputStream in =
        new GZIPInputStream(new java.io.ByteArrayInputStream(zipped.body()))) {
      assertNotNull(new ObjectMapper().readTree(in).path("settings").get(0));
    }
  }

  @Test
  void noMoreThanAFewAreAnsweredAtATime() throws Exception {
    int places = content().places().drainPermits();
    try {
      HttpResponse<byte[]> refused = call("GET", "/data/health");
      assertEquals(503, refused.statusCode());
      assertEquals("2", refused.headers().firstValue("Retry-After").orElse(""));
      assertEquals(200, call("GET", "").statusCode(), "the page itself is there");
    } finally {
      content().places().release(places);
    }
    data("health");
  }

  @Test
  void anAnswerThatFailsIsCountedAndTheNextOneWorks() throws Exception {
    long before = HookGuard.failures(Hook.PAGE);
    HookGuard.inject(
        hook -> {
          if (hook == Hook.PAGE) {
            throw new IllegalStateException("injected");
          }
        });
    assertEquals(500, call("GET", "/data/modes").statusCode());
    HookGuard.inject(null);
    assertEquals(before + 1, HookGuard.failures(Hook.PAGE));
    data("modes");
  }

  /** The script runs: it asks and draws. */
  @Test
  @Tag("nightly")
  void browserShowsIt(@TempDir Path profile) throws Exception {
    assumeTrue(Files.isExecutable(CHROMIUM), "there is no " + CHROMIUM);
    Path shown = profile.resolve("shown.html");
    Process browser =
        new ProcessBuilder(
                CHROMIUM.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--user-data-dir=" + profile,
                "--virtual-time-budget=20000",
                "--dump-dom",
                page)
            .redirectOutput(shown.toFile())
            .redirectError(profile.resolve("log").toFile())
            .start();
    try {
      assertTrue(browser.waitFor(2, TimeUnit.MINUTES));
    } finally {
      browser.destroyForcibly();
    }
    String html = Files.readString(shown);
    assertTrue(html.contains("· active ·"), html);
    assertTrue(html.contains("/data/&lt;script&gt;alert("), html);
    assertFalse(html.contains("<script>alert("), html);
  }
}
