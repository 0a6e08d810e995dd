package org.rackweave.sim.workload;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The files of an operator's HDFS, from the text that {@code hdfs oiv -p Delimited -i <fsimage> -o
 * <text>} makes of an fsimage. It tells path, size, preferred block size and replication factor of
 * each file, but neither racks nor DataNodes: where replicas lie is in no fsimage at all, as
 * DataNodes report it.
 *
 * <p>Any {@code -delimiter} is understood, as line 1 shows it; {@code -sp} and {@code -ec} add
 * columns that are let pass. Erasure-coded files (replication factor 0) are counted and left out.
 */
public final class NamespaceListing {

  private static final List<String> COLUMNS =
      List.of(
          "Path",
          "Replication",
          "ModificationTime",
          "AccessTime",
          "PreferredBlockSize",
          "BlocksCount",
          "FileSize",
          "NSQUOTA",
          "DSQUOTA",
          "Permission",
          "UserName",
          "GroupName");

  private static final int OPTIONAL_COLUMNS = 2;
  private static final long SIZE_MAX_BYTES = 1L << 50;
  private static final String HINT =
      "; expected the header of 'hdfs oiv -p Delimited -i <fsimage> -o <text>'";

  private NamespaceListing() {}

  /**
   * A file as listed.
   *
   * @param sizeBytes length
   * @param blockBytes preferred block size
   * @param replication factor
   */
  public record ListedFile(String path, long sizeBytes, long blockBytes, int replication) {}

  /** Hears of each file, in the order listed. */
  @FunctionalInterface
  public interface Visitor {
    void file(ListedFile file);
  }

  /**
   * What a listing holds.
   *
   * @param files replicated files, those given to the visitor
   * @param bytes of them, one replica each
   * @param erasureCoded files left out
   */
  public record Totals(long files, long bytes, long erasureCoded) {}

  /**
   * Reads a whole listing, line by line.
   *
   * @param visitor may have heard of files before a bad line is met; pass one that forgets first
   * @throws InputException naming the first line that is wrong
   */
  public static Totals read(Path listing, Visitor visitor) throws InputException {
    long files = 0;
    long bytes = 0;
    long erasureCoded = 0;
    try (InputLines lines = new InputLines(listing)) {
      Header header = header(lines);
      for (String line = lines.next(); line != null; line = lines.next()) {
        String[] row = header.split(lines, line);
        if (row[9].startsWith("d")) {
          continue;
        }
        ListedFile file = file(lines, row);
        if (file.replication() > 0) {
          files++;
          bytes += file.sizeBytes();
          visitor.file(file);
        } else if (file.sizeBytes() > 0) {
          erasureCoded++;
        }
      }
    }
    return new Totals(files, bytes, erasureCoded);
  }

  private static ListedFile file(InputLines lines, String[] row) throws InputException {
    String path = unquoted(row[0]);
    if (!path.startsWith("/")) {
      throw lines.bad("path is " + InputException.quote(path) + "; expected one from the root");
    }
    int replication = (int) lines.number("replication", row[1], 0, 32_767);
    long blockBytes = lines.number("preferred block size", row[4], 0, SIZE_MAX_BYTES);
    long sizeBytes = lines.number("file size", row[6], 0, SIZE_MAX_BYTES);
    if (replication > 0 && blockBytes == 0) {
      throw lines.bad("preferred block size is 0 for a file of replication " + replication);
    }
    return new ListedFile(path, sizeBytes, blockBytes, replication);
  }

  /** Undoes what the viewer does to a path with commas, quotes or line ends. */
  private static String unquoted(String field) {
    if (field.length() < 2 || !field.startsWith("\"") || !field.endsWith("\"")) {
      return field;
    }
    return field
        .substring(1, field.length() - 1)
        .replace("\"\"", "\"")
        .replace("%x0D%x0A", "\r\n")
        .replace("%x0A", "\n");
  }

  private static Header header(InputLines lines) throws InputException {
    String line = lines.next();
    if (line == null) {
      throw new InputException(lines.file(), 0, "is empty" + HINT);
    }
    if (line.startsWith("HDFSIMG")) {
      throw lines.bad("is an fsimage, not its text" + HINT);
    }
    if (line.startsWith("<?xml")) {
      throw lines.bad("is the viewer's XML" + HINT);
    }
    int second = line.indexOf(COLUMNS.get(1));
    if (!line.startsWith(COLUMNS.get(0)) || second <= COLUMNS.get(0).length()) {
      throw lines.bad("begins with " + InputException.quote(line) + HINT);
    }
    Header header = new Header(line.substring(COLUMNS.get(0).length(), second), 0);
    List<String> names = Arrays.asList(header.cut(line));
    int known = COLUMNS.size();
    boolean same = names.size() >= known && names.subList(0, known).equals(COLUMNS);
    if (!same || names.size() > known + OPTIONAL_COLUMNS) {
      throw lines.bad("has columns " + InputException.quote(String.join(" ", names)) + HINT);
    }
    return new Header(header.delimiter, names.size());
  }

  /** How rows are cut. */
  private record Header(String delimiter, int columns) {

    String[] cut(String line) {
      return line.split(Pattern.quote(delimiter), -1);
    }

    /** The columns of a row; what is too many belongs to the path, which may hold delimiters. */
    String[] split(InputLines lines, String line) throws InputException {
      String[] fields = cut(line);
      int more = fields.length - columns;
      if (more < 0) {
        throw lines.bad(
            String.format(Locale.ROOT, "has %d columns, line 1 has %d", fields.length, columns));
      }
      if (more == 0) {
        return fields;
      }
      String[] row = new String[columns];
      row[0] = String.join(delimiter, Arrays.asList(fields).subList(0, more + 1));
      System.arraycopy(fields, more + 1, row, 1, columns - 1);
      return row;
    }
  }
}
