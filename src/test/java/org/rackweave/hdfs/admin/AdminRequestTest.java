package org.rackweave.hdfs.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AdminRequestTest {
  private static final Map<String, Set<String>> KNOWN =
      Map.of("status", Set.of(), "restore", Set.of("path", "dry-run"));

  private static AdminRequest parse(String... args) {
    return AdminRequest.parse(List.of(args), KNOWN);
  }

  private static String refused(String... args) {
    return assertThrows(IllegalArgumentException.class, () -> parse(args)).getMessage();
  }

  @Test
  void isAWordAndItsOptions() {
    assertEquals(new AdminRequest("status", Map.of()), parse("status"));
    assertEquals(
        new AdminRequest("restore", Map.of("path", "/a=b", "dry-run", "")),
        parse("restore", "path=/a=b", "dry-run="));
  }

  @Test
  void saysWhatIsAllowed() {
    assertEquals("'': allowed is one of [restore, status]", refused());
    assertEquals("'stop': allowed is one of [restore, status]", refused("stop"));
    assertEquals("'path=/a': allowed is key=value with one of []", refused("status", "path=/a"));
    assertEquals(
        "'path': allowed is key=value with one of [dry-run, path]", refused("restore", "path"));
  }

  @Test
  void pathsAreAbsolute() {
    assertEquals("/", AdminRequest.path(Map.of()));
    assertEquals("/a/b", AdminRequest.path(Map.of("path", "/a/b")));
    for (String wrong : List.of("", "a", "/a/")) {
      assertThrows(
          IllegalArgumentException.class, () -> AdminRequest.path(Map.of("path", wrong)), wrong);
    }
  }
}
