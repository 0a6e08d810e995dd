package org.rackweave.hdfs.dayu;

/**
 * What recovery itself takes of a DataNode's links.
 *
 * @param in bytes per second that it receives
 * @param out bytes per second that it sends
 */
record OwnLoad(double in, double out) {

  OwnLoad plus(OwnLoad more) {
    return new OwnLoad(in + more.in, out + more.out);
  }

  OwnLoad times(double factor) {
    return new OwnLoad(factor * in, factor * out);
  }
}
