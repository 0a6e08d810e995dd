package org.rackweave.hdfs.erasure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.apache.hadoop.util.NativeCodeLoader;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** What most clusters are: our jar and Hadoop's, no JNA. */
class WithoutJnaTest {

  /** Loads our classes anew, and finds no JNA for them. */
  private static final class LoaderWithoutJna extends ClassLoader {
    LoaderWithoutJna() {
      super(LoaderWithoutJna.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("com.sun.jna.")) {
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith("org.rackweave.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? define(name) : loaded;
      }
    }

    private Class<?> define(String name) {
      String path = name.replace('.', '/') + ".class";
      try (InputStream in = getParent().getResourceAsStream(path)) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void codesInJavaAndSaysSoOnce() throws Exception {
    Assumptions.assumeFalse(
        NativeCodeLoader.isNativeCodeLoaded(), "Hadoop's native code is here, and chosen");
    Logger logger = LoggerFactory.getLogger(CoderSelection.class);
    GenericTestUtils.setLogLevel(logger, Level.INFO);
    LogCapturer log = LogCapturer.captureLogs(logger);
    RawErasureCoderFactory factory =
        (RawErasureCoderFactory)
            new LoaderWithoutJna()
                .loadClass(RackweaveRawErasureCoderFactory.class.getName())
                .getConstructor()
                .newInstance();
    assertNotSame(RackweaveRawErasureCoderFactory.class, factory.getClass());
    ErasureCoderOptions options = new ErasureCoderOptions(3, 2);
    RawErasureEncoder encoder = factory.createEncoder(options);
    factory.createEncoder(options);
    factory.createDecoder(options);
    log.stopCapturing();
    assertEquals(RackweaveRawEncoder.class.getName(), encoder.getClass().getName());
    assertFalse(encoder.preferDirectBuffer());
    List<String> lines = log.getOutput().lines().filter(line -> !line.isBlank()).toList();
    assertEquals(1, lines.size(), lines::toString);
    String expected = "Erasure coding by Rackweave's Java coder (JNA is not on the class path)";
    assertEquals(expected, lines.get(0).substring(lines.get(0).indexOf("Erasure")));
  }
}
