package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;

/** Finds the network interface that carries an address. */
interface InterfaceLookup {

  /**
   * @param ipAddress an address as text, never a name
   * @return name of the interface, or null when this host has none with that address
   */
  String carrying(String ipAddress) throws IOException;

  /** Looks at this host's interfaces. */
  static InterfaceLookup ofThisHost() {
    return ipAddress -> {
      NetworkInterface found = NetworkInterface.getByInetAddress(InetAddress.getByName(ipAddress));
      if (found == null) {
        return null;
      }
      // An address label such as eth0:1 shows as an interface below the one that counts its bytes.
      return found.getParent() == null ? found.getName() : found.getParent().getName();
    };
  }
}
