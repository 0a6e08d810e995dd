package org.rackweave.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A file for figures or charts. That it cannot be written is found out before the work. */
public final class WritableFile implements ITypeConverter<Path> {
  @Override
  public Path convert(String text) {
    Path file = Path.of(text);
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null || Files.isDirectory(file)) {
      throw new TypeConversionException("'" + text + "' is a directory");
    }
    if (!Files.isDirectory(directory)) {
      throw new TypeConversionException("'" + text + "': there is no directory " + directory);
    }
    if (!Files.isWritable(Files.exists(file) ? file : directory)) {
      throw new TypeConversionException("'" + text + "' cannot be written");
    }
    return file;
  }
}
