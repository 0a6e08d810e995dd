/** {@code bin/rackweave rules} and {@code mode}: what an operator says of a whole namespace. */
package org.rackweave.cli.admin;
