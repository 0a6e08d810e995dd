/**
 * Requests of administrators to a NameNode, by {@code bin/rackweave} or {@code hdfs dfsadmin
 * -refresh HOST:PORT IDENTIFIER WORDS}: superusers only, answered in JSON.
 */
package org.rackweave.hdfs.admin;
