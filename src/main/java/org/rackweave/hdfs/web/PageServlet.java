package org.rackweave.hdfs.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedAction;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.http.HtmlQuoting;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.server.PseudoAuthenticationHandler;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.hdfs.admin.AdminRefresh.Superusers;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;

/**
 * The page {@code /rackweave}, and what it shows, {@code /rackweave/data/NAME} in JSON. Only reads,
 * so that a forged request gains nothing.
 *
 * <p>The web server's filters, which prove who somebody is, stand before it as before every
 * servlet. The page itself says nothing of the cluster. Data has paths, and is for those who may
 * say commands: with Kerberos superusers and {@code dfs.cluster.administrators}; without, where
 * everybody may claim any name, for whom HDFS shows its logs to. At most {@value #AT_ONCE_MAX} are
 * answered at a time, others get 503.
 */
public final class PageServlet extends HttpServlet {
  /** The servlet context's attribute that holds {@link Content}. */
  static final String CONTENT = "rackweave.page";

  private static final long serialVersionUID = 1L;
  private static final int AT_ONCE_MAX = 4;
  private static final int SENDING_MAX = 32;
  private static final int BYTES_MAX = 16 << 20;
  private static final int ZIPPED_LEAST = 1024;

  /** Hadoop's own clients prove who they are by OPTIONS. */
  private static final List<String> METHODS = List.of("GET", "HEAD", "OPTIONS");

  private static final String JSON = "application/json; charset=utf-8";
  private static final String DATA = "/data/";
  private static final String LOADS_ONLY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:;"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
  private static final byte[] FAILED = message("error", "failed; see the NameNode's log");

  /**
   * One of the things that can be read. Gets values of options by their names, {@code null} where
   * they were not given, and throws as an {@link org.rackweave.hdfs.admin.AdminHandler} does.
   */
  @FunctionalInterface
  public interface Source {
    AdminAnswer read(UnaryOperator<String> option) throws IOException;
  }

  /**
   * What a web server shows.
   *
   * @param superusers says who is one
   * @param places for answers that are being made
   * @param sending places for these and for those that clients are still being sent
   */
  record Content(
      Map<String, Source> sources, Superusers superusers, Semaphore places, Semaphore sending) {}

  /** Adds the page to a web server, which may run, with all that can be read on it by name. */
  public static void install(HttpServer2 web, Map<String, Source> sources, Superusers superusers) {
    web.setAttribute(
        CONTENT,
        new Content(sources, superusers, new Semaphore(AT_ONCE_MAX), new Semaphore(SENDING_MAX)));
    web.addServlet("rackweave", "/rackweave/*", PageServlet.class);
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    if (METHODS.contains(request.getMethod())) {
      super.service(request, response);
    } else {
      response.setHeader("Allow", String.join(", ", METHODS));
      refuse(response, HttpServletResponse.SC_METHOD_NOT_ALLOWED, "this page is read-only");
    }
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String path = request.getPathInfo() == null ? "" : request.getPathInfo();
    switch (path) {
      case "" -> file(request, response, "page.html", "text/html; charset=utf-8");
      case "/page.js" -> file(request, response, "page.js", "text/javascript; charset=utf-8");
      case "/page.css" -> file(request, response, "page.css", "text/css; charset=utf-8");
      default -> {
        Content content = (Content) getServletContext().getAttribute(CONTENT);
        Source source =
            path.startsWith(DATA) ? content.sources().get(path.substring(DATA.length())) : null;
        if (source == null) {
          refuse(response, HttpServletResponse.SC_NOT_FOUND, "there is no such page");
        } else {
          answer(request, response, content, source);
        }
      }
    }
  }

  private static void file(
      HttpServletRequest request, HttpServletResponse response, String name, String type)
      throws IOException {
    try (InputStream file = PageServlet.class.getResourceAsStream(name)) {
      send(request, response, type, file.readAllBytes());
    }
  }

  private void answer(
      HttpServletRequest request, HttpServletResponse response, Content content, Source source)
      throws IOException {
    if (!isAllowed(request, response, content.superusers())) { // may wait for a directory of groups
      return;
    }
    if (!content.sending().tryAcquire()) {
      busy(response);
      return;
    }
    try {
      if (!content.places().tryAcquire()) {
        busy(response);
        return;
      }
      byte[] json;
      try {
        json = HookGuard.call(Hook.PAGE, FAILED, () -> read(request, response, source));
      } finally {
        content.places().release(); // a client that is slow keeps none
      }
      if (json == FAILED) {
        response.setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
      }
      send(request, response, JSON, json);
    } finally {
      content.sending().release();
    }
  }

  private static void busy(HttpServletResponse response) throws IOException {
    response.setHeader("Retry-After", "2");
    refuse(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, "busy; ask again");
  }

  private static byte[] read(
      HttpServletRequest request, HttpServletResponse response, Source source) {
    try {
      byte[] json =
          bytes(source.read(name -> HtmlQuoting.unquoteHtmlChars(request.getParameter(name))));
      return json.length > BYTES_MAX ? message("unavailable", "this is too long") : json;
    } catch (IllegalArgumentException e) {
      response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
      return message("error", e.getMessage());
    } catch (IllegalStateException | IOException e) {
      return message("unavailable", e.getMessage());
    }
  }

  /** Says why not, unless it is allowed. */
  private boolean isAllowed(
      HttpServletRequest request, HttpServletResponse response, Superusers superusers)
      throws IOException {
    if (!UserGroupInformation.isSecurityEnabled()) {
      return HttpServer2.hasAdministratorAccess(getServletContext(), request, response);
    }
    String user = request.getRemoteUser();
    String proof = request.getAuthType(); // none where a token stands for a user
    boolean isProven =
        user != null && proof != null && !proof.equals(PseudoAuthenticationHandler.TYPE);
    boolean isAllowed =
        isProven
            && (HttpServer2.userHasAdministratorAccess(getServletContext(), user)
                || isSuperuser(user, superusers));
    if (!isAllowed) {
      refuse(
          response,
          HttpServletResponse.SC_FORBIDDEN,
          isProven
              ? user + " is neither a superuser of HDFS nor in dfs.cluster.administrators"
              : "the user is not authenticated: hadoop.http.authentication.type has to be kerberos");
    }
    return isAllowed;
  }

  private static boolean isSuperuser(String user, Superusers superusers) {
    PrivilegedAction<Boolean> check =
        () -> {
          try {
            superusers.check("rackweavePage");
            return true;
          } catch (IOException e) {
            return false;
          }
        };
    return UserGroupInformation.createRemoteUser(user).doAs(check);
  }

  private static byte[] message(String kind, String text) {
    return bytes(new AdminAnswer().with(kind, String.valueOf(text)));
  }

  private static byte[] bytes(AdminAnswer answer) {
    return answer.json().getBytes(StandardCharsets.UTF_8);
  }

  private static void refuse(HttpServletResponse response, int status, String why)
      throws IOException {
    response.setStatus(status);
    response.setContentType(JSON);
    response.getOutputStream().write(message("error", why));
  }

  private static void send(
      HttpServletRequest request, HttpServletResponse response, String type, byte[] plain)
      throws IOException {
    byte[] bytes = plain;
    String accepted = request.getHeader("Accept-Encoding");
    if (bytes.length >= ZIPPED_LEAST && accepted != null && accepted.contains("gzip")) {
      ByteArrayOutputStream zipped = new ByteArrayOutputStream();
      try (GZIPOutputStream zip = new GZIPOutputStream(zipped)) {
        zip.write(bytes);
      }
      bytes = zipped.toByteArray();
      response.setHeader("Content-Encoding", "gzip");
    }
    response.setHeader("Vary", "Accept-Encoding");
    response.setHeader("Content-Security-Policy", LOADS_ONLY);
    response.setContentType(type);
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }
}
