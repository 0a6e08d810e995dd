package org.rackweave.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArrivalsTest {

  private static final DemoSettings SETTINGS = DemoSettings.standard();

  private static List<FilePiece> pieces(int count, int length) {
    List<FilePiece> pieces = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      pieces.add(new FilePiece(Path.of("file-" + i), 0, length));
    }
    return pieces;
  }

  @Test
  void repeatThemselvesWhenTheSeedIsTheSame() {
    List<FilePiece> sample = pieces(50, 1 << 20);
    assertEquals(
        Arrivals.draw(SETTINGS, sample, 10_000, 3), Arrivals.draw(SETTINGS, sample, 10_000, 3));
  }

  @Test
  void offerTheConfiguredLoadOnTheLongRun() {
    int seconds = 2_000;
    List<Arrival> arrivals = Arrivals.draw(SETTINGS, pieces(1, 2 << 20), seconds * 1000, 1);
    double offered = (double) arrivals.size() * (2 << 20) / seconds;
    assertEquals(SETTINGS.offeredBytesPerSec(), offered, 0.05 * SETTINGS.offeredBytesPerSec());
  }

  @Test
  void letEveryWriterHaveItsTurn() {
    List<Arrival> arrivals = Arrivals.draw(SETTINGS, pieces(10, 1 << 20), 60_000, 1);
    int[] files = new int[SETTINGS.writers()];
    arrivals.forEach(arrival -> files[arrival.writer()]++);
    for (int writer : files) {
      assertTrue(Math.abs(writer - arrivals.size() / files.length) <= 1);
    }
  }

  @Test
  void stayFewWhenFilesAreTiny() {
    assertTrue(Arrivals.draw(SETTINGS, pieces(10, 1), 10_000, 1).size() < 400);
  }

  @Test
  void comeInOrderAndWithinTheRound() {
    int before = 0;
    for (Arrival arrival : Arrivals.draw(SETTINGS, pieces(3, 1 << 20), 5_000, 9)) {
      assertTrue(arrival.atMs() >= before && arrival.atMs() < 5_000);
      before = arrival.atMs();
    }
  }
}
