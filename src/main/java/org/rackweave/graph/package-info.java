/**
 * Matchings and flows on ints, without a word of storage.
 *
 * <p>{@link org.rackweave.graph.GroupedMatching} keeps a maximum matching while vertices and edges
 * come and go; {@link org.rackweave.graph.MaxFlow} is the textbook's maximum flow, slow and
 * obviously right, which the former is tested and measured against. Pure.
 */
package org.rackweave.graph;
