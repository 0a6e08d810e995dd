package org.rackweave.hdfs.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Semaphore;
import javax.servlet.ServletConfig;
import javax.servlet.ServletContext;
import javax.servlet.ServletOutputStream;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.admin.AdminAnswer;

/** Who may read what the page shows. */
class PageServletTest {
  private final Configuration conf = new Configuration(false);

  @AfterEach
  void nobodyIsSecure() {
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration());
  }

  /** Security is on; Kerberos itself would want a realm. */
  private void secure(boolean isAuthorizationOn) {
    SecurityUtil.setAuthenticationMethod(AuthenticationMethod.TOKEN, conf);
    conf.setBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, isAuthorizationOn);
    UserGroupInformation.setConfiguration(conf);
  }

  private int status(String user) throws Exception {
    return status(user, user == null ? null : "kerberos");
  }

  private int status(String user, String proof) throws Exception {
    ServletContext context = mock(ServletContext.class);
    when(context.getAttribute(HttpServer2.CONF_CONTEXT_ATTRIBUTE)).thenReturn(conf);
    when(context.getAttribute(HttpServer2.ADMINS_ACL)).thenReturn(new AccessControlList("anna"));
    when(context.getAttribute(PageServlet.CONTENT))
        .thenReturn(
            new PageServlet.Content(
                Map.of("health", option -> new AdminAnswer().with("a", 1)),
                operation -> {
                  String name = UserGroupInformation.getCurrentUser().getShortUserName();
                  if (!name.equals("hdfs")) {
                    throw new IOException(name + " is no superuser");
                  }
                },
                new Semaphore(1),
                new Semaphore(1)));
    ServletConfig config = mock(ServletConfig.class);
    when(config.getServletContext()).thenReturn(context);
    PageServlet servlet = new PageServlet();
    servlet.init(config);
    HttpServletRequest request = mock(HttpServletRequest.class);
    when(request.getMethod()).thenReturn("GET");
    when(request.getPathInfo()).thenReturn("/data/health");
    when(request.getRemoteUser()).thenReturn(user);
    when(request.getAuthType()).thenReturn(proof);
    HttpServletResponse response = mock(HttpServletResponse.class);
    when(response.getOutputStream()).thenReturn(mock(ServletOutputStream.class));
    int[] status = {200};
    doAnswer(call -> status[0] = call.getArgument(0)).when(response).setStatus(anyInt());
    doAnswer(call -> status[0] = call.getArgument(0)).when(response).sendError(anyInt(), any());
    servlet.service(request, response);
    return status[0];
  }

  @Test
  void withKerberosSuperusersAndAdministratorsOnly() throws Exception {
    for (boolean isAuthorizationOn : new boolean[] {true, false}) {
      secure(isAuthorizationOn);
      assertEquals(200, status("hdfs"));
      assertEquals(200, status("anna"));
      assertEquals(403, status("bert"));
      assertEquals(403, status("dr.who"));
      assertEquals(403, status(null), "a token stands for somebody");
      assertEquals(403, status("hdfs", "simple"), "anybody can say that");
      assertEquals(403, status("hdfs", null), "nobody has looked");
    }
  }

  @Test
  void withoutKerberosAsHdfsShowsItsLogs() throws Exception {
    assertEquals(200, status("dr.who"));
    conf.setBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, true);
    assertEquals(200, status("anna"));
    assertEquals(403, status("dr.who"));
    assertEquals(403, status(null));
  }
}
