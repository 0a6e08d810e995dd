package org.rackweave.hdfs.namenode;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.security.token.Token;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.apache.log4j.spi.ThrowableInformation;

/** All that this process logs, Hadoop's RPC at DEBUG included; closing it ends that. */
final class CapturedLog extends AppenderSkeleton implements AutoCloseable {
  private static final Logger RPC = Logger.getLogger("org.apache.hadoop.ipc");

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Level levelBefore = RPC.getLevel();

  CapturedLog() {
    RPC.setLevel(Level.DEBUG);
    Logger.getRootLogger().addAppender(this);
  }

  /**
   * Lines that give away a token's secret, or what it says, in any form that logs are written in.
   */
  List<String> linesWith(Token<?> token) {
    return lines.stream()
        .filter(line -> has(line, token.getIdentifier()) || has(line, token.getPassword()))
        .toList();
  }

  /** Lines that contain a text. */
  List<String> linesWith(String text) {
    return lines.stream().filter(line -> line.contains(text)).toList();
  }

  private static boolean has(String line, byte[] secret) {
    String hex = HexFormat.of().formatHex(secret);
    if (line.toLowerCase(Locale.ROOT).contains(hex)
        || line.contains(new String(secret, StandardCharsets.ISO_8859_1))) {
      return true;
    }
    for (int before = 0; before < 3; before++) {
      byte[] within = new byte[before + secret.length];
      System.arraycopy(secret, 0, within, before, secret.length);
      int from = (before * 8 + 5) / 6;
      int until = within.length * 8 / 6;
      if (line.contains(Base64.getEncoder().encodeToString(within).substring(from, until))
          || line.contains(Base64.getUrlEncoder().encodeToString(within).substring(from, until))) {
        return true;
      }
    }
    return false;
  }

  @Override
  protected void append(LoggingEvent event) {
    StringBuilder line = new StringBuilder(event.getRenderedMessage());
    ThrowableInformation thrown = event.getThrowableInformation();
    if (thrown != null) {
      line.append(String.join("\n", thrown.getThrowableStrRep()));
    }
    lines.add(line.toString());
  }

  @Override
  public void close() {
    Logger.getRootLogger().removeAppender(this);
    RPC.setLevel(levelBefore);
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }
}
