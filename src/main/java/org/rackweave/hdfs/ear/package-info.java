/**
 * EAR inside a NameNode: stripes learn of blocks by what clients call, and of racks by what the
 * placement context sees.
 */
package org.rackweave.hdfs.ear;
