package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.common.JspHelper;
import org.apache.hadoop.hdfs.web.JsonUtil;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.UserGroupInformation;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;

/**
 * Stands in front of WebHDFS in a NameNode, for the calls that change files inside it and so pass
 * no RPC server: {@code SETREPLICATION}, which the web UI sends, too, {@code TRUNCATE} and {@code
 * CONCAT}. A WebHDFS append comes from a DataNode by RPC. See {@link EncodedFileGuard}.
 */
public final class WebHdfsFilter implements Filter {
  /** The servlet context's attribute that holds the guard. */
  public static final String GUARD = "rackweave.encoded-file-guard";

  private static final Set<String> GUARDED = Set.of("SETREPLICATION", "TRUNCATE", "CONCAT");

  private ServletContext context;

  /** Built by the web server through reflection. */
  public WebHdfsFilter() {}

  @Override
  public void init(FilterConfig config) {
    context = config.getServletContext();
  }

  @Override
  public void destroy() {}

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String operation = parameter(request, "op").toUpperCase(Locale.ROOT);
    if (!GUARDED.contains(operation)) {
      chain.doFilter(request, response);
      return;
    }
    HdfsCall<Void, Exception> hdfs =
        new HdfsCall<>(
            () -> {
              chain.doFilter(request, response);
              return null;
            });
    IOException unknown =
        new RetriableException("it is not known whether blocks of the file are encoded");
    IOException refused =
        HookGuard.call(
            Hook.FILE_GUARD, unknown, () -> change(operation, (HttpServletRequest) request, hdfs));
    if (!hdfs.isOver()) {
      refuse((HttpServletResponse) response, refused);
      return;
    }
    try {
      hdfs.end();
    } catch (IOException | ServletException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new ServletException(e);
    }
  }

  /** As the caller, whom HDFS has made sure of; says why the call is refused. */
  private IOException change(
      String operation, HttpServletRequest request, HdfsCall<Void, Exception> hdfs)
      throws Exception {
    EncodedFileGuard guard = (EncodedFileGuard) context.getAttribute(GUARD);
    Configuration conf = (Configuration) context.getAttribute(JspHelper.CURRENT_CONF);
    UserGroupInformation caller = JspHelper.getUGI(context, request, conf);
    String path = request.getPathInfo() == null ? "/" : request.getPathInfo();
    try {
      caller.doAs(
          (PrivilegedExceptionAction<Void>) () -> change(guard, operation, path, request, hdfs));
      return null;
    } catch (IOException | RuntimeException e) {
      if (hdfs.isOver()) {
        return null;
      }
      if (e instanceof IOException refusal) {
        return refusal;
      }
      throw e;
    }
  }

  private static Void change(
      EncodedFileGuard guard,
      String operation,
      String path,
      HttpServletRequest request,
      HdfsCall<Void, Exception> hdfs)
      throws Exception {
    return switch (operation) {
      case "SETREPLICATION" ->
          guard.setReplication(path, (int) number(request, "replication", Short.MAX_VALUE), hdfs);
      case "TRUNCATE" -> guard.truncate(path, number(request, "newlength", 0), hdfs);
      default -> guard.concat(path, hdfs);
    };
  }

  private static void refuse(HttpServletResponse response, IOException why) throws IOException {
    response.setStatus(HttpServletResponse.SC_FORBIDDEN);
    response.setContentType("application/json");
    response.getWriter().print(JsonUtil.toJsonString(why));
    response.getWriter().flush();
  }

  /** HDFS takes names of parameters in whichever case. */
  private static String parameter(ServletRequest request, String name) {
    for (Map.Entry<String, String[]> each : request.getParameterMap().entrySet()) {
      if (each.getKey().equalsIgnoreCase(name) && each.getValue().length > 0) {
        return each.getValue()[0];
      }
    }
    return "";
  }

  /** What is no number HDFS will refuse. */
  private static long number(ServletRequest request, String name, long otherwise) {
    try {
      return Long.parseLong(parameter(request, name));
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }
}
