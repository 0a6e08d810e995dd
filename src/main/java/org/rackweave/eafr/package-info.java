/**
 * EAFR: files that are read more get more replicas, cold ones go where they cost less energy (Lin,
 * Shen, "EAFR: An Energy-Efficient Adaptive File Replication System in Data-Intensive Clusters",
 * TPDS 2017).
 */
package org.rackweave.eafr;
