/**
 * Encoding by MapReduce jobs that YARN keeps in one rack each. The command fetches work from the
 * NameNode, which plans, verifies and commits; what runs in a container only reads and writes
 * blocks.
 */
package org.rackweave.cli.ear.yarn;
