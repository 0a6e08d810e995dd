package org.apache.hadoop.fs;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DegradedReadClient;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;

/**
 * The same as {@link org.apache.hadoop.hdfs.DegradedReadFileSystem} for programs that use {@link
 * FileContext}: name it in {@code fs.AbstractFileSystem.hdfs.impl}.
 */
public class DegradedReadHdfs extends Hdfs {
  private final DegradedReadClient client;
  private volatile boolean verifyChecksum = true;

  /** Called by Hadoop through reflection. */
  DegradedReadHdfs(URI uri, Configuration conf) throws IOException, URISyntaxException {
    super(uri, conf);
    client = new DegradedReadClient(uri, conf, getStatistics());
  }

  @Override
  public HdfsDataInputStream open(Path file, int bufferBytes) throws IOException {
    return client.createWrappedInputStream(
        client.open(getUriPath(file), bufferBytes, verifyChecksum));
  }

  @Override
  public void setVerifyChecksum(boolean verify) throws IOException {
    super.setVerifyChecksum(verify);
    verifyChecksum = verify;
  }
}
