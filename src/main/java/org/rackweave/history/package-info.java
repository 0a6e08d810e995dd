/**
 * Records of recent decisions and events, with their reasons, bounded in number and in size at any
 * rate of decisions. Pure.
 */
package org.rackweave.history;
