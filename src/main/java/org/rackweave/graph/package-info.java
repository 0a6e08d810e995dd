/**
 * Matchings on ints, without a word of storage: {@link org.rackweave.graph.GroupedMatching} keeps a
 * maximum matching while vertices and edges come and go. Pure.
 */
package org.rackweave.graph;
