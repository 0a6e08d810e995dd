/**
 * What copies of replicas inside one NameNode have in common, whoever wants them: recovery, or
 * moves between servers.
 */
package org.rackweave.hdfs.copies;
