package org.rackweave.cli.testbed;

/**
 * The addresses of one testbed: a sixteenth of 198.18.0.0/15, which RFC 2544 sets aside for
 * measurements of networks and which nothing else should use. The third byte tells the rack and the
 * fourth the host, so that addresses can be read: in the first block 198.18.3.2 is the second
 * DataNode of the third rack.
 *
 * @param number from 0 to {@link #COUNT} - 1
 */
record AddressBlock(int number) {

  /** How many testbeds can be up at a time. */
  static final int COUNT = 16;

  static final int MAX_RACKS = 24;
  static final int MAX_HOSTS_PER_RACK = 20;

  /** All hosts of a testbed are neighbours. */
  static final int PREFIX_BITS = 19;

  /** The two ends of the control link are a network of their own. */
  static final int CONTROL_PREFIX_BITS = 30;

  private static final int THIRD_BYTES = 32;
  private static final int BLOCKS_PER_SECOND_BYTE = COUNT / 2;
  private static final int CONTROL_THIRD_BYTE = THIRD_BYTES - 1;
  private static final int BACKGROUND = 250;

  AddressBlock {
    if (number < 0 || number >= COUNT) {
      throw new IllegalArgumentException("No address block " + number);
    }
  }

  String nameNode() {
    return address(Host.CORE, 1);
  }

  String sink() {
    return address(Host.CORE, 2);
  }

  /** DataNode {@code host} (from 1) of rack {@code rack} (from 1). */
  String dataNode(int rack, int host) {
    return address(rack, host);
  }

  String background(int rack) {
    return address(rack, BACKGROUND);
  }

  /** The end of the control link outside the testbed. */
  String controlOutside() {
    return address(CONTROL_THIRD_BYTE, 1);
  }

  /** The NameNode's end of the control link. */
  String controlInside() {
    return address(CONTROL_THIRD_BYTE, 2);
  }

  /** The hardware address that belongs to an address of this block. */
  static String macOf(String address) {
    String[] bytes = address.split("\\.", -1);
    StringBuilder mac = new StringBuilder("02:00");
    for (String part : bytes) {
      mac.append(String.format(":%02x", Integer.parseInt(part)));
    }
    return mac.toString();
  }

  private String address(int third, int fourth) {
    int second = 18 + number / BLOCKS_PER_SECOND_BYTE;
    int base = THIRD_BYTES * (number % BLOCKS_PER_SECOND_BYTE);
    return "198." + second + "." + (base + third) + "." + fourth;
  }
}
