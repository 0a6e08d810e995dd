package org.rackweave.hdfs;

import java.util.Map;
import javax.servlet.Filter;
import javax.servlet.FilterConfig;
import javax.servlet.ServletContext;
import org.apache.hadoop.hdfs.web.WebHdfsFileSystem;
import org.apache.hadoop.http.HttpServer2;

/** Stands in front of WebHDFS in a NameNode, whose calls pass no RPC server. */
public abstract class WebHdfsInterceptor implements Filter {
  private ServletContext context;

  /**
   * Puts one there.
   *
   * @param type built by the web server through reflection
   * @param attribute name under which the interceptor finds what it works with, one of its own
   */
  public static void install(
      HttpServer2 web, Class<? extends WebHdfsInterceptor> type, String attribute, Object value) {
    web.setAttribute(attribute, value);
    HttpServer2.defineFilter(
        web.getWebAppContext(),
        attribute,
        type.getName(),
        Map.of(),
        new String[] {WebHdfsFileSystem.PATH_PREFIX + "/*"});
  }

  /** What the web server was given. */
  protected final ServletContext context() {
    return context;
  }

  @Override
  public final void init(FilterConfig config) {
    context = config.getServletContext();
  }

  @Override
  public final void destroy() {}
}
