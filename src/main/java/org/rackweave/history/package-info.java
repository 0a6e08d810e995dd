/**
 * What was decided lately and why, for people who ask: bounded in number and in size, whatever the
 * rate of decisions. Pure.
 */
package org.rackweave.history;
