package org.rackweave.hdfs.eafr;

import java.io.IOException;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletResponse;
import org.rackweave.hdfs.WebHdfsCall;
import org.rackweave.hdfs.WebHdfsInterceptor;
import org.rackweave.hdfs.eafr.ReadInterceptor.FactorListener;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;

/**
 * Hears of files' factors that users set by WebHDFS, as the web UI does: those pass no RPC server,
 * and so no {@link ReadInterceptor}. The requests and their answers stay as they are.
 */
public final class WebFactorInterceptor extends WebHdfsInterceptor {
  /** The servlet context's attribute that holds the {@link FactorListener}. */
  public static final String LISTENER = "rackweave.factor-listener";

  private static final String SET_REPLICATION = "SETREPLICATION";

  /** Built by the web server through reflection. */
  public WebFactorInterceptor() {}

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    chain.doFilter(request, response);
    HookGuard.run(
        Hook.READ_CALL,
        () -> {
          WebHdfsCall call = new WebHdfsCall(request);
          if (call.operation().equals(SET_REPLICATION)
              && ((HttpServletResponse) response).getStatus() == HttpServletResponse.SC_OK) {
            ((FactorListener) context().getAttribute(LISTENER)).factorSet(call.path());
          }
        });
  }
}
