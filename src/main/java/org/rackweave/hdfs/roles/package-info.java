/**
 * Servers that sleep: which DataNodes are hot, standby or cold, how cold ones are put into
 * maintenance and switched off, and when they are woken. Decided in {@link org.rackweave.eafr};
 * carried out here.
 *
 * <p>A DataNode is cold exactly as long as there is a record of it in HDFS itself, so every
 * NameNode knows it from the image and the edit log. Everything else is soft state.
 */
package org.rackweave.hdfs.roles;
