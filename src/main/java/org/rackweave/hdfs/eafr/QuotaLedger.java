package org.rackweave.hdfs.eafr;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rackweave.eafr.SpaceQuota;
import org.rackweave.hdfs.eafr.FileLookup.QuotaRoom;

/**
 * The space quotas of directories, less what a plan has already been given. Quotas by storage type
 * are left to HDFS, which refuses what does not fit when it is done. For one plan.
 */
final class QuotaLedger implements SpaceQuota {
  private final FileLookup lookup;
  private final Map<Long, Long> given = new HashMap<>();

  QuotaLedger(FileLookup lookup) {
    this.lookup = lookup;
  }

  @Override
  public boolean admits(long fileId, long moreBytes) {
    List<QuotaRoom> rooms = lookup.quotas(fileId);
    for (QuotaRoom room : rooms) {
      if (moreBytes > room.bytes() - given.getOrDefault(room.directory(), 0L)) {
        return false;
      }
    }
    rooms.forEach(room -> given.merge(room.directory(), moreBytes, Long::sum));
    return true;
  }
}
