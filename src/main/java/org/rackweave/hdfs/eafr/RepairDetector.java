package org.rackweave.hdfs.eafr;

import java.util.List;
import org.rackweave.eafr.Popularity;
import org.rackweave.eafr.RepairPlacement;
import org.rackweave.eafr.Temperature;
import org.rackweave.hdfs.eafr.FileLookup.FoundFile;
import org.rackweave.placement.ReplicaChooser;

/**
 * Tells the replicas that HDFS makes again from those that it makes more of, which look alike to a
 * placement policy: a file that EAFR has raised, with a block that has as many replicas as its user
 * asked for, grows. Safe for use by many threads.
 *
 * @param lookup one hold of the namesystem's read lock a question, by a thread that has none
 * @param counting how much files are read
 */
public record RepairDetector(FileLookup lookup, ReadCounting counting) {
  private static final long[] NO_BLOCKS = {};
  private static final long[][] NO_SERVERS = {};

  /**
   * Who chooses the place of a block's next replica.
   *
   * @param path of its file
   * @param replicas that it has
   * @param growing who does when the file grows
   * @param repair who does when a replica was lost
   */
  public ReplicaChooser chooser(
      String path, int replicas, ReplicaChooser growing, RepairPlacement repair) {
    long id = lookup.fileAt(path);
    FoundFile file = id == FileLookup.NO_FILE ? null : lookup.files(List.of(id)).get(0);
    if (file == null) {
      return repair.of(Temperature.NORMAL);
    }
    int own = OwnFactor.history(file.mark(), file.factor()).ownFactor();
    if (own < file.factor() && replicas >= own) {
      return growing;
    }
    return repair.of(temperature(file));
  }

  /** By Eq. 4, since single replicas' reads take the lock for longer: cold, or not. */
  private Temperature temperature(FoundFile file) {
    Popularity popularity = counting.popularity();
    if (popularity == null) {
      return Temperature.NORMAL; // this NameNode has just become active
    }
    double mostReads = popularity.readsOf(file.id(), NO_BLOCKS, NO_SERVERS).mostReads();
    long replicas = (long) file.factor() * Math.max(1, file.blocks());
    return mostReads < counting.thresholds().tauLower() * replicas
        ? Temperature.COLD
        : Temperature.NORMAL;
  }
}
