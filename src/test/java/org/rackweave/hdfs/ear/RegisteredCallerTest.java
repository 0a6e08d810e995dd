package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class RegisteredCallerTest {
  private static final String IP = "10.0.0.7";
  private static final String PRINCIPAL = "dn/host7@REALM";

  private static InetAddress from(String ip) {
    try {
      return InetAddress.getByName(ip);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aDataNodeCallsFromWhereItRegistered() {
    assertTrue(RegisteredCaller.isFrom(IP, null, from(IP), "anybody"));
    assertFalse(RegisteredCaller.isFrom(IP, null, from("10.0.0.8"), "anybody"));
  }

  @Test
  void withKerberosItCallsInTheNameOfItsPrincipal() {
    assertTrue(RegisteredCaller.isFrom(IP, PRINCIPAL, from(IP), PRINCIPAL));
    assertFalse(RegisteredCaller.isFrom(IP, PRINCIPAL, from(IP), "anna@REALM"));
    assertFalse(RegisteredCaller.isFrom(IP, PRINCIPAL, from(IP), ""));
  }
}
