package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rackweave.history.Event;

class BoxSegmentTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  BoxSegmentTest() {
    System.out.println("BoxSegmentTest, seed " + seed);
  }

  private static List<String> read(byte[] segment) throws IOException {
    List<Object> found = new ArrayList<>();
    BoxSegment.read(new ByteArrayInputStream(segment), found::add);
    return texts(found);
  }

  /** Arrays in records are not equal to their copies. */
  private static List<String> texts(List<?> records) throws IOException {
    List<String> texts = new ArrayList<>();
    for (Object one : records) {
      texts.add(one.getClass().getSimpleName() + JSON.writeValueAsString(one));
    }
    return texts;
  }

  private List<Object> records(int most) {
    return IntStream.range(0, random.nextInt(most + 1))
        .mapToObj(i -> MadeUpRecords.any(random))
        .toList();
  }

  /** Where each record ends, the first being none. */
  private static int[] ends(List<Object> records) throws IOException {
    int[] ends = new int[records.size() + 1];
    for (int i = 0; i < ends.length; i++) {
      ends[i] = MadeUpRecords.segment(records.subList(0, i)).length;
    }
    return ends;
  }

  private static int wholeBefore(int[] ends, int at) {
    return (int) Arrays.stream(ends).filter(end -> end <= at).count() - 1;
  }

  @Test
  void allThatWasWrittenComesBack() throws Exception {
    for (int i = 0; i < 50; i++) {
      List<Object> records = records(20);
      assertEquals(texts(records), read(MadeUpRecords.segment(records)), () -> "seed " + seed);
    }
  }

  @Test
  void whatIsWholeBeforeATornEndComesBack() throws Exception {
    for (int i = 0; i < 5; i++) {
      List<Object> records = records(5);
      byte[] segment = MadeUpRecords.segment(records);
      int[] ends = ends(records);
      for (int cut = 0; cut < segment.length; cut++) {
        List<Object> whole = records.subList(0, Math.max(0, wholeBefore(ends, cut)));
        int at = cut;
        assertEquals(
            texts(whole), read(Arrays.copyOf(segment, cut)), () -> "cut " + at + ", seed " + seed);
      }
    }
  }

  @Test
  void whatIsWholeBeforeAFlippedBitComesBackAndNothingWrongDoes() throws Exception {
    for (int i = 0; i < 5; i++) {
      List<Object> records = records(5);
      byte[] segment = MadeUpRecords.segment(records);
      int[] ends = ends(records);
      for (int flip = 0; flip < 300; flip++) {
        int at = random.nextInt(segment.length);
        byte[] damaged = segment.clone();
        damaged[at] ^= (byte) (1 << random.nextInt(8));
        List<Object> whole = records.subList(0, Math.max(0, wholeBefore(ends, at)));
        assertEquals(texts(whole), read(damaged), () -> "byte " + at + ", seed " + seed);
      }
    }
  }

  /** Two gigabytes, as a damaged length says, would fail on the heap of tests. */
  @Test
  void aDamagedLengthAllocatesNothing() throws Exception {
    for (int length : new int[] {Integer.MAX_VALUE, -1, 0, 8 << 20}) {
      ByteArrayOutputStream segment = new ByteArrayOutputStream();
      segment.write(BoxSegment.MAGIC);
      segment.write(ByteBuffer.allocate(12).putInt(length).putInt(7).putInt(9).array());
      assertEquals(List.of(), read(segment.toByteArray()));
    }
  }

  /** A type that is not known, and an event that is written as a frame, or as a decision. */
  @ParameterizedTest
  @ValueSource(bytes = {77, 1, 2})
  void recordsOfALaterVersionAreSkipped(byte type) throws Exception {
    Event event = new Event(1, Event.Kind.START, "", "runs");
    byte[] known = BoxSegment.record(event);
    byte[] unknown = known.clone();
    unknown[8] = type;
    CRC32C crc = new CRC32C();
    crc.update(unknown, 8, unknown.length - 8);
    ByteBuffer.wrap(unknown).putInt(4, (int) crc.getValue());
    ByteArrayOutputStream segment = new ByteArrayOutputStream();
    segment.write(BoxSegment.MAGIC);
    segment.write(known);
    segment.write(unknown);
    segment.write(known);
    assertEquals(texts(List.of(event, event)), read(segment.toByteArray()));
  }

  @Test
  void anythingElseIsNoSegment() throws Exception {
    byte[] noise = new byte[10_000];
    for (int i = 0; i < 200; i++) {
      random.nextBytes(noise);
      assertTrue(read(noise).isEmpty());
    }
  }
}
