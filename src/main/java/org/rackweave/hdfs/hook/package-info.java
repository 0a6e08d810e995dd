/**
 * Places where HDFS calls Rackweave, and what keeps a fault of Rackweave from harming HDFS: every
 * {@link org.rackweave.hdfs.hook.Hook} is called through {@link org.rackweave.hdfs.hook.HookGuard},
 * and every timer is a {@link org.rackweave.hdfs.hook.HookTimer}.
 */
package org.rackweave.hdfs.hook;
