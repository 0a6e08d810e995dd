package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What addresses have to do with it, {@code DecodeForgeryIT} shows. */
class RegisteredCallerTest {
  private static final String PRINCIPAL = "dn/_HOST@REALM";

  @Test
  void aDataNodeMayCallItsMachineAsItLikes() {
    assertTrue(RegisteredCaller.isDataNode(PRINCIPAL, "dn/host7.example.com@REALM"));
    assertTrue(RegisteredCaller.isDataNode(PRINCIPAL, "dn/host7@REALM"));
  }

  @Test
  void nobodyElseIsADataNode() {
    assertFalse(RegisteredCaller.isDataNode(PRINCIPAL, "anna@REALM"));
    assertFalse(RegisteredCaller.isDataNode(PRINCIPAL, "yarn/host7@REALM"));
    assertFalse(RegisteredCaller.isDataNode(PRINCIPAL, "dn/host7@OTHER"));
    assertFalse(RegisteredCaller.isDataNode(PRINCIPAL, "dn@REALM"));
    assertFalse(RegisteredCaller.isDataNode(PRINCIPAL, "dn"));
    assertFalse(RegisteredCaller.isDataNode(PRINCIPAL, ""));
  }

  @Test
  void aPrincipalThatNamesAMachineOrNoneIsThatOfAll() {
    assertTrue(RegisteredCaller.isDataNode("hdfs@REALM", "hdfs@REALM"));
    assertFalse(RegisteredCaller.isDataNode("hdfs@REALM", "hdfs/host7@REALM"));
    assertTrue(RegisteredCaller.isDataNode("dn/all@REALM", "dn/all@REALM"));
    assertFalse(RegisteredCaller.isDataNode("dn/all@REALM", "dn/host7@REALM"));
    assertTrue(RegisteredCaller.isDataNode("", "anybody"), "as HDFS has it");
  }
}
