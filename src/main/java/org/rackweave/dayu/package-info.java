/** Dayu. */
package org.rackweave.dayu;
