/**
 * The placement policies that are compared, behind one method. Sinbad's is a thin hand that feeds
 * the NameNode's own decision objects; the others are the baselines of the papers.
 */
package org.rackweave.sim.policy;
