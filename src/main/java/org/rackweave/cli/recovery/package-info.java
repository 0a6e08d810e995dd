/**
 * {@code bin/rackweave recovery} and {@code whatif}: what Dayu does in a NameNode, and would do.
 */
package org.rackweave.cli.recovery;
