package org.rackweave.cli.testbed;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * What a testbed's directory says about it, from before the first command until it is gone.
 *
 * @param spec what was asked for, the congestion control filled in
 * @param addresses its addresses
 * @param hadoop version of Hadoop
 * @param startedMs when it was asked for, in milliseconds since 1970
 */
record SavedState(TestbedSpec spec, AddressBlock addresses, String hadoop, long startedMs) {

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Writes all of it or nothing. */
  void write(Path file) throws IOException {
    Path written = file.resolveSibling("testbed.json.new");
    MAPPER.writeValue(written.toFile(), this);
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
  }

  static SavedState read(Path file) throws IOException {
    return MAPPER.readValue(file.toFile(), SavedState.class);
  }
}
