/**
 * Immutable values every other room speaks in: nodes, racks and fault domains, addressed by dense
 * integers so that a decision touches arrays only. And {@link Require}, the words in which rooms
 * refuse arguments. Depends on nothing but the JDK.
 */
package org.rackweave.model;
