package org.rackweave.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An absolute path in HDFS, without slashes at its end. */
public final class HdfsPath implements ITypeConverter<String> {
  @Override
  public String convert(String text) {
    if (!text.startsWith("/")) {
      throw new TypeConversionException("'" + text + "', allowed is an absolute path");
    }
    return text.length() > 1 ? text.replaceAll("/+$", "") : text;
  }
}
