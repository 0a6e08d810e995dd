package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/**
 * A site file whose contents a test may change, as an operator edits {@code hdfs-site.xml} before
 * {@code dfsadmin -reconfig}: a NameNode reads its files anew then. Empty again after {@link
 * #close}.
 */
final class SiteOverlay implements AutoCloseable {
  private static final String RESOURCE = "site-overlay.xml";

  static {
    Configuration.addDefaultResource(RESOURCE);
  }

  private final Configuration overlay = new Configuration(false);

  SiteOverlay set(String key, String value) throws IOException {
    overlay.set(key, value);
    write(overlay);
    return this;
  }

  private static void write(Configuration contents) throws IOException {
    Path file = Path.of(URI.create(SiteOverlay.class.getResource("/" + RESOURCE).toString()));
    try (OutputStream out = Files.newOutputStream(file)) {
      contents.writeXml(out);
    }
  }

  @Override
  public void close() {
    try {
      write(new Configuration(false));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
