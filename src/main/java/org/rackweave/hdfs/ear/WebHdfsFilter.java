package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Set;
import javax.servlet.FilterChain;
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
import org.rackweave.hdfs.WebHdfsCall;
import org.rackweave.hdfs.WebHdfsInterceptor;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;

/**
 * Stands in front of WebHDFS in a NameNode, for the calls that change files inside it and so pass
 * no RPC server: {@code SETREPLICATION}, which the web UI sends, too, {@code TRUNCATE} and {@code
 * CONCAT}. A WebHDFS append comes from a DataNode by RPC. See {@link EncodedFileGuard}.
 */
public final class WebHdfsFilter extends WebHdfsInterceptor {
  /** The servlet context's attribute that holds the guard. */
  public static final String GUARD = "rackweave.encoded-file-guard";

  private static final Set<String> GUARDED = Set.of("SETREPLICATION", "TRUNCATE", "CONCAT");

  /** Built by the web server through reflection. */
  public WebHdfsFilter() {}

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    WebHdfsCall call = new WebHdfsCall(request);
    if (!GUARDED.contains(call.operation()) || isIdle()) {
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
    IOException refused = HookGuard.call(Hook.FILE_GUARD, unknown, () -> change(call, hdfs));
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

  private boolean isIdle() {
    EncodedFileGuard guard = guard();
    return guard != null && guard.hasNothingToGuard();
  }

  private EncodedFileGuard guard() {
    return (EncodedFileGuard) context().getAttribute(GUARD);
  }

  /** As the caller, whom HDFS has made sure of; says why the call is refused. */
  private IOException change(WebHdfsCall call, HdfsCall<Void, Exception> hdfs) throws Exception {
    EncodedFileGuard guard = guard();
    Configuration conf = (Configuration) context().getAttribute(JspHelper.CURRENT_CONF);
    UserGroupInformation caller =
        JspHelper.getUGI(context(), (HttpServletRequest) call.request(), conf);
    try {
      caller.doAs((PrivilegedExceptionAction<Void>) () -> change(guard, call, hdfs));
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
      EncodedFileGuard guard, WebHdfsCall call, HdfsCall<Void, Exception> hdfs) throws Exception {
    String path = call.path();
    return switch (call.operation()) {
      case "SETREPLICATION" ->
          guard.setReplication(path, (int) number(call, "replication", Short.MAX_VALUE), hdfs);
      case "TRUNCATE" -> guard.truncate(path, number(call, "newlength", 0), hdfs);
      default -> guard.concat(path, hdfs);
    };
  }

  private static void refuse(HttpServletResponse response, IOException why) throws IOException {
    response.setStatus(HttpServletResponse.SC_FORBIDDEN);
    response.setContentType("application/json");
    response.getWriter().print(JsonUtil.toJsonString(why));
    response.getWriter().flush();
  }

  /** What is no number HDFS will refuse. */
  private static long number(WebHdfsCall call, String name, long otherwise) {
    try {
      return Long.parseLong(call.parameter(name));
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }
}
