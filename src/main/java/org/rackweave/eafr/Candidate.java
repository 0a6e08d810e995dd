package org.rackweave.eafr;

/** A file to decide about. */
public record Candidate(FileState file, FileReads reads) {}
