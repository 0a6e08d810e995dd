package org.rackweave.cli.ear.yarn;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.rackweave.hdfs.work.WorkCodec;
import org.rackweave.hdfs.work.WorkOrder;
import org.rackweave.hdfs.work.WorkReply;
import org.rackweave.hdfs.work.WorkReport;

/**
 * What one job is to do and how far it is: a directory in the operator's home, for his eyes only,
 * as the orders carry block tokens. The command writes the orders; the job writes where it runs,
 * and of each order how it ended.
 */
final class Batch {
  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0700);
  private static final String HOME = ".rackweave";
  private static final String PREFIX = "encode-";

  /** Its job is allowed minutes, and its tokens do not last longer. */
  static final long FORGOTTEN_MS = 86_400_000;

  private static final String ORDERS = "orders";
  private static final String BEGAN = "began";
  private static final String REPORTS = "reports";

  private final DistributedFileSystem fs;
  private final Path directory;

  private Batch(DistributedFileSystem fs, Path directory) {
    this.fs = fs;
    this.directory = directory;
  }

  /**
   * Where a job runs.
   *
   * @param host of the NodeManager
   * @param container its id
   */
  record Began(String host, String container) {}

  /** Makes one. */
  static Batch of(List<WorkOrder> orders, DistributedFileSystem fs) throws IOException {
    Batch batch =
        new Batch(fs, new Path(fs.getHomeDirectory(), HOME + '/' + PREFIX + UUID.randomUUID()));
    fs.mkdirs(batch.directory, OWNER_ONLY);
    batch.write(
        new Path(batch.directory, ORDERS), WorkCodec.encode(new WorkReply(orders, List.of())));
    fs.mkdirs(new Path(batch.directory, REPORTS));
    return batch;
  }

  /**
   * Opens one.
   *
   * @throws IOException when it is in no HDFS
   */
  static Batch at(Path directory, Configuration conf) throws IOException {
    FileSystem fs = directory.getFileSystem(conf);
    if (!(fs instanceof DistributedFileSystem)) {
      throw new IOException("batch '" + directory + "': allowed is a directory in an HDFS");
    }
    return new Batch((DistributedFileSystem) fs, directory);
  }

  Path directory() {
    return directory;
  }

  DistributedFileSystem fs() {
    return fs;
  }

  List<WorkOrder> orders() throws IOException {
    return WorkCodec.reply(read(new Path(directory, ORDERS))).orders();
  }

  /** Says that what is ordered will be begun. */
  void begin(Began where) throws IOException {
    String text = where.host() + ' ' + where.container();
    write(new Path(directory, BEGAN), text.getBytes(StandardCharsets.UTF_8));
  }

  /** Where it runs or ran, empty when nothing has been begun. */
  Optional<Began> began() throws IOException {
    try {
      String text = new String(read(new Path(directory, BEGAN)), StandardCharsets.UTF_8);
      int space = text.indexOf(' ');
      return Optional.of(new Began(text.substring(0, space), text.substring(space + 1)));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  /** Says how an order ended. */
  void report(WorkReport report) throws IOException {
    write(new Path(directory, REPORTS + '/' + report.id()), WorkCodec.encode(List.of(report)));
  }

  /** How orders ended, of those that are over; none when somebody has deleted the batch. */
  List<WorkReport> reports() throws IOException {
    List<WorkReport> reports = new ArrayList<>();
    try {
      for (FileStatus file : fs.listStatus(new Path(directory, REPORTS))) {
        reports.addAll(WorkCodec.reports(read(file.getPath())));
      }
    } catch (FileNotFoundException e) {
      return List.of();
    }
    return reports;
  }

  /**
   * Whole or not at all, whoever reads it; nothing when the batch has been deleted, which a job
   * that is being killed must not make anew.
   */
  private void write(Path file, byte[] bytes) throws IOException {
    Path aside = new Path(directory, "aside-" + file.getName());
    try (FSDataOutputStream out = fs.createFile(aside).overwrite(true).build()) {
      out.write(bytes);
    }
    fs.rename(aside, file, Options.Rename.NONE);
  }

  private byte[] read(Path file) throws IOException {
    try (FSDataInputStream in = fs.open(file)) {
      return in.readAllBytes();
    }
  }

  void delete() throws IOException {
    fs.delete(directory, true);
  }

  /** Deletes the caller's batches that no command can be at work on any more. */
  static void deleteForgotten(DistributedFileSystem fs, long nowMs) throws IOException {
    FileStatus[] batches;
    try {
      batches = fs.listStatus(new Path(fs.getHomeDirectory(), HOME));
    } catch (FileNotFoundException e) {
      return;
    }
    for (FileStatus batch : batches) {
      if (batch.getPath().getName().startsWith(PREFIX)
          && nowMs - batch.getModificationTime() > FORGOTTEN_MS) {
        fs.delete(batch.getPath(), true);
      }
    }
  }
}
