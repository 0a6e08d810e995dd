/** What clients need to read blocks that have no replica; used by HDFS's own streams. */
package org.rackweave.hdfs.client;
