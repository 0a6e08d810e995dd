package org.rackweave.hdfs;

import java.util.ServiceLoader;

/**
 * Finds the classes that live in Hadoop's packages because only those see what is package-private.
 * This room knows them by the interfaces it declares, never by name: {@code META-INF/services}
 * names them.
 */
public final class Bridge {
  private Bridge() {}

  /**
   * @throws IllegalStateException when the jar was repackaged without its {@code META-INF/services}
   */
  public static <T> T to(Class<T> type) {
    return ServiceLoader.load(type, type.getClassLoader())
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException("META-INF/services/" + type.getName() + " is missing"));
  }
}
