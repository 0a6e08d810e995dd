package org.rackweave.cli.demo;

/**
 * One file that somebody begins to write at a given moment, whatever the others are doing.
 *
 * @param atMs milliseconds after the round's writes began
 * @param writer number of the writer, see {@link DemoSettings#writers}
 * @param piece what is copied
 */
public record Arrival(int atMs, int writer, FilePiece piece) {}
