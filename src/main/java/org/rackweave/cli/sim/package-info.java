/**
 * {@code bin/rackweave sim}: runs scenarios and the papers' claims on all cores, and shows the
 * results as a table, JSON, CSV and a page of charts.
 */
package org.rackweave.cli.sim;
