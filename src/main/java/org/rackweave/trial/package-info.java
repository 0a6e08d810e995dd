/**
 * Two ways of placement side by side in one cluster: which files are placed by which, how long
 * their blocks take to be written, and how sure the difference is. Pure.
 */
package org.rackweave.trial;
