/** Commands that talk to a NameNode about encoded files. */
package org.rackweave.cli.ear;
