/**
 * Where Rackweave stands in the way of HDFS, and what keeps a fault of ours from doing harm there:
 * every {@link org.rackweave.hdfs.hook.Hook} is called through {@link
 * org.rackweave.hdfs.hook.HookGuard}, and every timer is a {@link
 * org.rackweave.hdfs.hook.HookTimer}.
 */
package org.rackweave.hdfs.hook;
