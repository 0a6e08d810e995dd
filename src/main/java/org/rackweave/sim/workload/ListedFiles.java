package org.rackweave.sim.workload;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * An operator's files, there from the start: what an fsimage's listing tells, 18 bytes for each
 * file taken. Nothing happens to them but what other workloads and failures do.
 */
public final class ListedFiles implements Workload {

  /** About 1 GB of memory. */
  static final int FILES_MAX = 50_000_000;

  private long[] sizeBytes = new long[1024];
  private long[] blockBytes = new long[1024];
  private short[] replication = new short[1024];
  private int taken;
  private long seen;

  private ListedFiles() {}

  /**
   * Reads a whole listing.
   *
   * @param share fraction of the files taken, evenly over the listing, above 0 and at most 1
   * @throws InputException naming the first line that is wrong
   */
  public static ListedFiles read(Path listing, double share) throws InputException {
    ListedFiles files = new ListedFiles();
    NamespaceListing.read(listing, file -> files.see(file, share));
    if (files.taken > FILES_MAX) {
      throw new InputException(
          listing,
          0,
          "has " + files.seen + " files; take a share that leaves " + FILES_MAX + " at most");
    }
    return files;
  }

  private void see(NamespaceListing.ListedFile file, double share) {
    // Whenever the share of what was seen passes another whole number, that file is taken.
    boolean take = Math.floor(share * (seen + 1)) > Math.floor(share * seen);
    seen++;
    if (!take || taken > FILES_MAX) {
      return;
    }
    if (taken == sizeBytes.length) {
      int longer = taken + taken / 2;
      sizeBytes = Arrays.copyOf(sizeBytes, longer);
      blockBytes = Arrays.copyOf(blockBytes, longer);
      replication = Arrays.copyOf(replication, longer);
    }
    sizeBytes[taken] = file.sizeBytes();
    blockBytes[taken] = file.blockBytes();
    replication[taken] = (short) file.replication();
    taken++;
  }

  @Override
  public Stream<StoredFile> storedFiles() {
    return LongStream.range(0, taken)
        .mapToObj(
            file ->
                new StoredFile(
                    file, sizeBytes[(int) file], blockBytes[(int) file], replication[(int) file]));
  }

  @Override
  public Stream<TimedRequest> requests() {
    return Stream.empty();
  }
}
