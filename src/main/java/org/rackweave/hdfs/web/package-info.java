/** The page {@code /rackweave} on a NameNode's own web server. It only reads. */
package org.rackweave.hdfs.web;
