package org.rackweave.hdfs;

import java.util.Locale;
import java.util.Map;
import javax.servlet.ServletRequest;
import javax.servlet.http.HttpServletRequest;

/**
 * A request to WebHDFS in a NameNode, as a {@link WebHdfsInterceptor} reads it.
 *
 * @param request of HTTP
 */
public record WebHdfsCall(ServletRequest request) {
  /** What is to be done, in capitals; empty where the request does not say. */
  public String operation() {
    return parameter("op").toUpperCase(Locale.ROOT);
  }

  /** The file in HDFS. */
  public String path() {
    String path = ((HttpServletRequest) request).getPathInfo();
    return path == null ? "/" : path;
  }

  /** A parameter, empty where there is none; HDFS takes names of parameters in whichever case. */
  public String parameter(String name) {
    for (Map.Entry<String, String[]> each : request.getParameterMap().entrySet()) {
      if (each.getKey().equalsIgnoreCase(name) && each.getValue().length > 0) {
        return each.getValue()[0];
      }
    }
    return "";
  }
}
