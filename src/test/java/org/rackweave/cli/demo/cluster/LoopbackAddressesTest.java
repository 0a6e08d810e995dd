package org.rackweave.cli.demo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class LoopbackAddressesTest {

  private static BoundSocketFactory factory(String address) {
    Configuration conf = new Configuration(false);
    BoundSocketFactory.bind(conf, address);
    BoundSocketFactory factory = new BoundSocketFactory();
    factory.setConf(conf);
    return factory;
  }

  @Test
  void everyDataNodeHasAnAddressThatTellsItsRack() {
    assertEquals(4, LoopbackAddresses.rackOf(LoopbackAddresses.ofNode(4, 1)));
    assertEquals(0, LoopbackAddresses.rackOf(LoopbackAddresses.ofNode(0, 0)));
    assertEquals(-1, LoopbackAddresses.rackOf(LoopbackAddresses.ofOutsider(0)));
  }

  @Test
  void otherAddressesAreInNoRackOfOurs() {
    for (String address : List.of("127.0.0.1", "127.10.", "127.10.x.1", "host", "")) {
      assertEquals(-1, LoopbackAddresses.rackOf(address), address);
      assertEquals(List.of("/default-rack"), new LoopbackRacks().resolve(List.of(address)));
    }
    assertEquals(List.of("/rack-3"), new LoopbackRacks().resolve(List.of("127.10.3.2")));
  }

  @Test
  void socketsSendFromTheirAddress() throws Exception {
    String address = LoopbackAddresses.ofNode(2, 1);
    try (Socket socket = factory(address).createSocket()) {
      assertEquals(InetAddress.getByName(address), socket.getLocalAddress());
    }
  }

  @Test
  void connectionsAreNotSharedBetweenAddresses() {
    assertEquals(factory("127.10.1.1"), factory("127.10.1.1"));
    assertNotEquals(factory("127.10.1.1"), factory("127.10.1.2"));
  }
}
