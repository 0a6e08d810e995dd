/** How much is lost when more DataNodes die, and for how long replicas were missing. Pure. */
package org.rackweave.durability;
