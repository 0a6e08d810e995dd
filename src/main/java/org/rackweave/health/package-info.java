/**
 * Whether all is well: what is known of a NameNode's state goes in, findings with a code, a
 * severity and what to do come out. Pure.
 */
package org.rackweave.health;
