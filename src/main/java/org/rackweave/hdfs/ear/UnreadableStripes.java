package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stripes whose records cannot be read: a newer version wrote them, or they are damaged. Which
 * blocks these count on nobody knows, so nothing is deleted or changed that may be one of them,
 * until somebody restores the record or deletes the parity. That is looked for again and again.
 *
 * <p>For one thread, but for {@link #paths}.
 */
final class UnreadableStripes {
  private static final Logger LOG = LoggerFactory.getLogger(UnreadableStripes.class);
  private static final LogThrottle ALARM = LogThrottle.oncePerMinute();

  /** Looked at in one go, all of them in turn. */
  private static final int LOOKED_AT_MAX = 100;

  /** Named in messages. */
  private static final int NAMED_MAX = 5;

  private static final long START = -1;

  /** For who reads the log, or is refused. */
  static final String WHAT_TO_DO =
      "if a newer jar wrote them, go back to that; otherwise restore the attribute "
          + ParityFiles.RECORD
          + " of the parity file, or delete the file: its stripe then protects nothing any more, so"
          + " raise the factor of files with one replica first";

  private final EncodedStripes encoded;
  private final BlockLookup lookup;
  private final ParityFiles parityFiles;
  private long lookedAt = START;

  UnreadableStripes(EncodedStripes encoded, BlockLookup lookup, ParityFiles parityFiles) {
    this.encoded = encoded;
    this.lookup = lookup;
    this.parityFiles = parityFiles;
  }

  /** Looks whether some can be read now, or are gone. */
  void look() {
    List<Long> next = encoded.unreadableAfter(lookedAt, LOOKED_AT_MAX);
    for (long parityFile : next) {
      try {
        lookAt(parityFile);
      } catch (IOException e) {
        LOG.debug("The record of parity file {} is read again", parityFile, e);
      }
    }
    lookedAt = next.size() < LOOKED_AT_MAX ? START : next.get(next.size() - 1);
    if (encoded.unreadableCount() > 0 && ALARM.shouldLog()) {
      LOG.error(
          "The records of {} stripes cannot be read, among them {}. The blocks they need are"
              + " unknown: no replica of a deleted block is deleted, and no file with one replica"
              + " can be appended to. What to do: {}",
          encoded.unreadableCount(),
          paths(),
          WHAT_TO_DO);
    }
  }

  private void lookAt(long parityFile) throws IOException {
    StoredFile file = lookup.file(parityFile);
    if (file == null || !file.isCurrent() || !parityFiles.isParity(file.path())) {
      LOG.warn("Parity file {}, whose record could not be read, is gone", parityFile);
      encoded.forgetUnreadable(parityFile);
      return;
    }
    Optional<StripeRecord> record = parityFiles.recordAt(file.path());
    if (record.isEmpty()) {
      return;
    }
    try {
      encoded.addUnreadable(parityFile, record.get());
      LOG.info("The stripe of parity file {} can be read again", file.path());
    } catch (IllegalArgumentException e) {
      LOG.debug("A block of {} is in another stripe", file.path(), e);
    }
  }

  /** Some of the parity files, by path. */
  List<String> paths() {
    List<String> paths = new ArrayList<>();
    for (long parityFile : encoded.unreadableAfter(START, NAMED_MAX)) {
      StoredFile file = lookup.file(parityFile);
      paths.add(file == null ? "inode " + parityFile : file.path());
    }
    return paths;
  }
}
