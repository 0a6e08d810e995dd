package org.rackweave.cli.ear.yarn;

import java.io.IOException;

/** Where the work of racks is fetched. */
@FunctionalInterface
public interface WorkSource {
  /**
   * Says how what was fetched stands, and hears what is wanted.
   *
   * @param reports of {@link org.rackweave.hdfs.work.WorkCodec}, as is the answer
   * @throws IOException with the NameNode's words when it refuses
   */
  byte[] fetch(String rack, byte[] reports) throws IOException;
}
