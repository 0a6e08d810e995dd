package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;
import org.rackweave.telemetry.Saturation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What comes to its limits on a host, as its kernel tells: {@code /proc/net/snmp} and {@code
 * netstat} count segments of TCP that were sent again, and those that came before one that was
 * lost. Where a link on the way is full, and only there as a rule, that is more than a few in a
 * thousand.
 *
 * <p>Looks at most once a second; who asks more often gets the last answer. A host that does not
 * show these files saturates nothing. Not thread-safe.
 */
final class SaturationSampler {
  private static final Logger LOG = LoggerFactory.getLogger(SaturationSampler.class);

  private static final long LEAST_MS = 1000;

  private static final long AGAIN_MS = 60_000;

  /** Fewer segments say nothing. */
  private static final long LEAST_SEGMENTS = 2_000;

  /** Nor do fewer that are lost, such as to hosts that are down. */
  private static final long LEAST_LOST = 20;

  /** Of the segments sent, those sent again where data are lost; 0.3 % and more on full links. */
  private static final double SENT_AGAIN = 0.002;

  /** Of the segments received, those out of order where data are lost; one loss puts out many. */
  private static final double OUT_OF_ORDER = 0.01;

  /** Counters of the host, or of the process's network namespace, cumulative. */
  private record Segments(long received, long outOfOrder, long sent, long sentAgain) {
    static Segments of(HostFiles files) throws IOException {
      String snmp = HostFiles.read(files.snmp());
      return new Segments(
          counter(snmp, "Tcp:", "InSegs"),
          counter(HostFiles.read(files.netStat()), "TcpExt:", "TCPOFOQueue"),
          counter(snmp, "Tcp:", "OutSegs"),
          counter(snmp, "Tcp:", "RetransSegs"));
    }

    boolean losesReceived(Segments before) {
      return isMore(outOfOrder - before.outOfOrder, received - before.received, OUT_OF_ORDER);
    }

    boolean losesSent(Segments before) {
      return isMore(sentAgain - before.sentAgain, sent - before.sent, SENT_AGAIN);
    }

    private static boolean isMore(long lost, long all, double share) {
      return all >= LEAST_SEGMENTS && lost >= Math.max(LEAST_LOST, share * all);
    }

    /** A group has two lines: names, and numbers in the same order. */
    private static long counter(String text, String group, String name) throws IOException {
      List<String[]> lines =
          text.lines()
              .filter(line -> line.startsWith(group + " "))
              .map(line -> line.split(" "))
              .toList();
      int place = lines.size() < 2 ? -1 : List.of(lines.get(0)).indexOf(name);
      if (place < 0 || place >= lines.get(1).length) {
        throw new IOException("No counter " + name + " of " + group);
      }
      return Long.parseLong(lines.get(1)[place]);
    }
  }

  private final HostFiles files;
  private final DiskWrites disks;
  private final LongSupplier monotonicMs;

  /** {@code null} before the first look. */
  private Segments last;

  private long nextMs = Long.MIN_VALUE;
  private boolean losesReceived;
  private boolean losesSent;

  SaturationSampler(HostFiles files, DiskWrites disks, LongSupplier monotonicMs) {
    this.files = files;
    this.disks = disks;
    this.monotonicMs = monotonicMs;
  }

  Saturation look() {
    long nowMs = monotonicMs.getAsLong();
    if (nowMs >= nextMs) {
      nextMs = nowMs + LEAST_MS;
      try {
        lookAt(Segments.of(files));
      } catch (IOException | NumberFormatException e) {
        LOG.debug("TCP losses cannot be measured", e);
        nextMs = nowMs + AGAIN_MS;
        last = null;
        losesReceived = false;
        losesSent = false;
      }
    }
    return new Saturation(losesReceived, losesSent, disks.mostWhileBusy());
  }

  private void lookAt(Segments now) {
    losesReceived = last != null && now.losesReceived(last);
    losesSent = last != null && now.losesSent(last);
    last = now;
  }
}
