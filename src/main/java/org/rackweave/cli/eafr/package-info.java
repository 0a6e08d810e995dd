/** {@code bin/rackweave hot} and {@code eafr}: what is read much, and what replicas make of it. */
package org.rackweave.cli.eafr;
