package org.rackweave.cli.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rackweave.cli.UsageException;

class EafrOptionsTest {
  @Test
  void sleepAndWakeNameAHost() {
    EafrOptions sleep = EafrOptions.eafr(new String[] {"sleep", "dn1:9866", "--json", "f"});
    assertEquals("sleep", sleep.what());
    assertEquals("dn1:9866", sleep.host());
    assertTrue(sleep.json().isPresent());
    assertEquals("all", EafrOptions.eafr(new String[] {"wake", "all"}).host());
    assertTrue(EafrOptions.eafr(new String[] {"wake", "--help"}).help());
    assertEquals("", EafrOptions.eafr(new String[] {"roles"}).host());
  }

  @ParameterizedTest
  @ValueSource(strings = {"sleep", "wake", "sleep --json f", "wake a=b", "roles dn1", "wake a b"})
  void aHostIsNeededThereAndNowhereElse(String line) {
    assertThrows(UsageException.class, () -> EafrOptions.eafr(line.split(" ")));
  }
}
