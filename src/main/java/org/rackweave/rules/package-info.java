/**
 * Rules of directories. A {@link org.rackweave.rules.RuleSet} holds what operators said, in words
 * that mean nothing here; each feature reads its own words into a {@link
 * org.rackweave.rules.PathTable}, which answers for a path with the words of its nearest ancestor.
 * Depends on the JDK only.
 */
package org.rackweave.rules;
