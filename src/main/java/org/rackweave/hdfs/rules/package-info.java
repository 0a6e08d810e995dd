/**
 * The rules of a namespace: the words of each directory for each feature. They are stored in the
 * namespace, as HDFS stores policies, so that every NameNode has them after a restart or failover;
 * {@link org.rackweave.hdfs.rules.NamespaceRules} follows them, and {@link
 * org.rackweave.hdfs.RuleWords} says what they may say.
 */
package org.rackweave.hdfs.rules;
