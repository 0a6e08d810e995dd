/**
 * A rack testbed of real HDFS processes in Linux network namespaces: every DataNode is a Java
 * virtual machine of its own, behind a network card and a rack uplink whose speed is shaped.
 *
 * <p>{@link org.rackweave.cli.testbed.TestbedSpec} says what is wanted, {@link
 * org.rackweave.cli.testbed.Testbeds} brings it up or finds it, and hands over a {@link
 * org.rackweave.cli.testbed.Testbed}.
 */
package org.rackweave.cli.testbed;
