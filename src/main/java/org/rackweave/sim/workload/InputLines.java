package org.rackweave.sim.workload;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/**
 * The lines of a text file, one after another, in memory that does not grow with the file. Files
 * whose name ends in {@code .gz} are decompressed on the way.
 *
 * <p>Whatever is wrong becomes an {@link InputException} with the line: bytes that are no UTF-8, a
 * zero byte, a line longer than {@value #LINE_BYTES_MAX} bytes, a disk that fails.
 */
public final class InputLines implements AutoCloseable {

  /** Longest line taken, in bytes. A coflow over 25,000 racks has half of it. */
  public static final int LINE_BYTES_MAX = 1 << 20;

  private static final int BUFFER_BYTES = 1 << 16;

  private final Path file;
  private final InputStream in;
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT);

  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int position;
  private int limit;
  private byte[] line = new byte[256];
  private int length;
  private long number;

  public InputLines(Path file) throws InputException {
    this.file = file;
    this.in = open(file);
  }

  private static InputStream open(Path file) throws InputException {
    if (Files.isDirectory(file)) {
      throw new InputException(file, 0, "is a directory, not a file");
    }
    try {
      InputStream raw = Files.newInputStream(file);
      return file.toString().endsWith(".gz") ? unzipped(raw) : raw;
    } catch (NoSuchFileException e) {
      throw new InputException(file, 0, "there is no such file");
    } catch (IOException e) {
      throw new InputException(file, 0, "cannot be read: " + reason(e));
    }
  }

  private static String reason(IOException e) {
    if (e instanceof EOFException) {
      return "the archive breaks off";
    }
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private static InputStream unzipped(InputStream raw) throws IOException {
    try {
      return new GZIPInputStream(new BufferedInputStream(raw, BUFFER_BYTES), BUFFER_BYTES);
    } catch (IOException e) {
      raw.close();
      throw e;
    }
  }

  /** The next line without its end (LF or CR LF), or null after the last. */
  public String next() throws InputException {
    number++;
    length = 0;
    while (true) {
      if (position == limit && !fill()) {
        return length == 0 ? null : decoded();
      }
      int end = position;
      while (end < limit && buffer[end] != '\n') {
        end++;
      }
      append(end);
      if (end < limit) {
        position = end + 1;
        return decoded();
      }
      position = end;
    }
  }

  private boolean fill() throws InputException {
    try {
      limit = Math.max(0, in.read(buffer, 0, buffer.length));
    } catch (IOException e) {
      throw bad("cannot be read: " + reason(e));
    }
    position = 0;
    return limit > 0;
  }

  private void append(int end) throws InputException {
    int more = end - position;
    if (length + more > LINE_BYTES_MAX) {
      throw bad("is longer than " + LINE_BYTES_MAX + " bytes");
    }
    if (length + more > line.length) {
      line = Arrays.copyOf(line, Math.max(length + more, line.length * 2));
    }
    System.arraycopy(buffer, position, line, length, more);
    length += more;
  }

  private String decoded() throws InputException {
    if (length > 0 && line[length - 1] == '\r') {
      length--;
    }
    for (int i = 0; i < length; i++) {
      if (line[i] == 0) {
        throw bad("has a zero byte at column " + (i + 1) + ", so this is no whole text file");
      }
    }
    try {
      return decoder.decode(ByteBuffer.wrap(line, 0, length)).toString();
    } catch (CharacterCodingException e) {
      throw bad("is not UTF-8 text");
    }
  }

  /** Number of the line that {@link #next} gave last, from 1. */
  public long number() {
    return number;
  }

  public Path file() {
    return file;
  }

  /** An error at the line that {@link #next} gave last. */
  public InputException bad(String reason) {
    return new InputException(file, number, reason);
  }

  /** A whole number between two others, from a piece of the current line. */
  long number(String what, String text, long low, long high) throws InputException {
    try {
      long value = Long.parseLong(text);
      if (value >= low && value <= high) {
        return value;
      }
    } catch (NumberFormatException e) {
      // The message below says it all.
    }
    throw bad(what + " is " + InputException.quote(text) + "; allowed: " + low + " to " + high);
  }

  @Override
  public void close() throws InputException {
    try {
      in.close();
    } catch (IOException e) {
      throw new InputException(file, 0, "cannot be closed: " + e.getMessage());
    }
  }
}
