/**
 * What runs inside the hosts of a testbed during a comparison: one Java virtual machine a host,
 * which writes and reads files as an HDFS client of that host and sends or receives background
 * load. It is told what to do, line by line, before a run begins; once told to go it follows the
 * given times by itself, so that the process that compares has nothing to do while it measures.
 */
package org.rackweave.cli.testbed.compare.worker;
