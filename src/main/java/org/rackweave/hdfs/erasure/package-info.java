/**
 * Reed-Solomon coding behind Hadoop's raw coders.
 *
 * <p>{@link org.rackweave.hdfs.erasure.RackweaveRawErasureCoderFactory} is what Hadoop finds under
 * the name {@code rs_rackweave} in {@code io.erasurecode.codec.rs.rawcoders}. {@link
 * org.rackweave.hdfs.erasure.CoderSelection} decides whose arithmetic a process uses: libisal's,
 * where it and JNA are installed, or the pure room's.
 */
package org.rackweave.hdfs.erasure;
