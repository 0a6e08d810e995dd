/**
 * The rules of a namespace: what each directory wants of each feature. They are kept in the
 * namespace itself, as HDFS keeps policies, so that every NameNode has them after a restart or a
 * failover; {@link org.rackweave.hdfs.rules.NamespaceRules} follows them, and {@link
 * org.rackweave.hdfs.RuleWords} says what they may say.
 */
package org.rackweave.hdfs.rules;
