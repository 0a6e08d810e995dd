/**
 * Health checks: facts about a NameNode go in, findings with a code, a severity and what to do come
 * out. Pure.
 */
package org.rackweave.health;
