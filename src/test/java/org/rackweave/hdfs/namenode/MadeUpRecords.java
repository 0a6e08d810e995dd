package org.rackweave.hdfs.namenode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.rackweave.history.Event;
import org.rackweave.history.PlacementRecord;
import org.rackweave.history.PlacementRecord.Expected;
import org.rackweave.history.PlacementRecord.Ranking;
import org.rackweave.history.PlacementRecord.Refused;
import org.rackweave.history.PlacementRecord.Target;
import org.rackweave.history.RecordedFrame;
import org.rackweave.history.RecordedWrite;
import org.rackweave.placement.FallbackReason;
import org.rackweave.placement.Refusal;

/** Records of black boxes, for tests. */
public final class MadeUpRecords {
  private MadeUpRecords() {}

  /** A segment of these. */
  public static byte[] segment(List<?> records) throws IOException {
    ByteArrayOutputStream segment = new ByteArrayOutputStream();
    segment.write(BoxSegment.MAGIC);
    for (Object record : records) {
      segment.write(BoxSegment.record(record));
    }
    return segment.toByteArray();
  }

  /** One of any kind. */
  static Object any(Random random) {
    return switch (random.nextInt(3)) {
      case 0 ->
          new Event(
              random.nextLong(),
              Event.Kind.values()[random.nextInt(Event.Kind.values().length)],
              random.nextBoolean() ? "" : "/a/" + random.nextInt(100),
              text(random));
      case 1 -> frame(random.nextInt(1000), random);
      default -> new RecordedWrite(1 + random.nextDouble(), decision(random));
    };
  }

  private static RecordedFrame frame(long atMs, Random random) {
    List<RecordedFrame.Rack> racks = new ArrayList<>();
    int nodes = 0;
    for (int rack = 0; rack < 1 + random.nextInt(4); rack++) {
      int size = 1 + random.nextInt(4);
      List<String> names =
          IntStream.range(nodes, nodes + size).mapToObj(node -> "dn" + node).toList();
      racks.add(new RecordedFrame.Rack("/r" + rack, names));
      nodes += size;
    }
    return new RecordedFrame(
        atMs,
        atMs,
        atMs + 300_000,
        racks,
        bytes(nodes, random),
        bytes(nodes, random),
        bytes(racks.size(), random),
        bytes(racks.size(), random),
        random.nextDouble() * 1e9,
        1 + random.nextDouble(),
        random.nextDouble() * 1e8);
  }

  private static byte[] bytes(int size, Random random) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }

  private static PlacementRecord decision(Random random) {
    boolean isOurs = random.nextBoolean();
    return new PlacementRecord(
        random.nextLong(),
        "/" + text(random),
        true,
        random.nextInt(1 << 27),
        random.nextBoolean() ? null : "/r0/dn0",
        random.nextBoolean() ? null : Ranking.NETWORK,
        isOurs ? null : FallbackReason.SHADOW_MODE,
        List.of(new Target("/r1/dn1", random.nextDouble(), 1e9, -1)),
        isOurs ? List.of() : List.of("/r0/dn2", "/r2/" + text(random)),
        List.of(new Refused("/r2/dn4", Refusal.NO_SPACE)),
        random.nextBoolean()
            ? null
            : new Expected(random.nextDouble(), Double.NaN, 1, 2, random.nextInt(3), 0));
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(40); i > 0; i--) {
      text.append((char) (1 + random.nextInt(0x2fff)));
    }
    return text.toString();
  }

  /** A block that stock HDFS placed in shadow mode, with the time that it was expected to take. */
  public static RecordedWrite stockWrite(
      long atMs, String path, long sizeBytes, List<String> places, double expectedSeconds) {
    return new RecordedWrite(
        3,
        new PlacementRecord(
            atMs,
            path,
            true,
            sizeBytes,
            null,
            Ranking.NETWORK,
            FallbackReason.SHADOW_MODE,
            List.of(),
            places,
            List.of(),
            new Expected(1, expectedSeconds, 1, 1, 0, 0)));
  }
}
