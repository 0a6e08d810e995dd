package org.rackweave.hdfs.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.ipc.RefreshResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdminRefreshTest {
  private static RefreshResponse said(boolean takesTime, AdminHandler handler) {
    AdminRefresh.Superusers everybody = operation -> {};
    AdminRefresh refresh =
        takesTime
            ? AdminRefresh.inTurn(handler, everybody)
            : AdminRefresh.atOnce(handler, everybody);
    return refresh.handleRefresh("rackweave", new String[] {"status", "a=b"});
  }

  private static void assertResponse(int code, String message, RefreshResponse response) {
    assertEquals(code, response.getReturnCode());
    assertEquals(message, response.getMessage());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tellsWhatWasWrongFromWhatCannotBeNow(boolean takesTime) {
    assertResponse(
        0,
        "{\n  \"words\" : [ \"status\", \"a=b\" ]\n}",
        said(takesTime, words -> new AdminAnswer().list("words", words)));
    assertResponse(2, "wrong", said(takesTime, fails(new IllegalArgumentException("wrong"))));
    assertResponse(1, "later", said(takesTime, fails(new IllegalStateException("later"))));
    assertResponse(
        1,
        "failed, see the NameNode's log: java.lang.NullPointerException: bug",
        said(takesTime, fails(new NullPointerException("bug"))));
    assertResponse(
        1,
        "no edit log",
        said(
            takesTime,
            words -> {
              throw new IOException("no edit log");
            }));
  }

  private static AdminHandler fails(RuntimeException why) {
    return words -> {
      throw why;
    };
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void asksNoHandlerForAnybodyElse(boolean takesTime) {
    List<String> operations = new ArrayList<>();
    boolean[] isAsked = {false};
    AdminHandler handler =
        words -> {
          isAsked[0] = true;
          return new AdminAnswer();
        };
    AdminRefresh.Superusers nobody =
        operation -> {
          operations.add(operation);
          throw new IOException("Access denied");
        };
    AdminRefresh refresh =
        takesTime ? AdminRefresh.inTurn(handler, nobody) : AdminRefresh.atOnce(handler, nobody);
    assertResponse(1, "Access denied", refresh.handleRefresh("rackweave-x", new String[0]));
    assertEquals(List.of("refresh rackweave-x"), operations);
    assertFalse(isAsked[0]);
  }
}
