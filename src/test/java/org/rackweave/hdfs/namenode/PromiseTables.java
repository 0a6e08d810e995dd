package org.rackweave.hdfs.namenode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import org.rackweave.cli.TextTable;
import org.rackweave.ear.StripeRules;

/** What was measured, for people. */
final class PromiseTables {
  private final StripeRules rules;
  private final List<Outage.Result> outages = new ArrayList<>();
  private Ear ear;
  private StockStripes stock;

  PromiseTables(StripeRules rules) {
    this.rules = rules;
  }

  /**
   * Files encoded with EAR.
   *
   * @param storedBytes on disks afterwards, data and parity
   * @param readByRack bytes of data blocks read to encode, by the rack they came from
   * @param readAcrossRacksBytes of these, those that went to another rack
   * @param crowded stripes with more than c blocks in a rack
   * @param relocated blocks that are where they were not written
   */
  record Ear(
      int files,
      int blocks,
      int stripes,
      long dataBytes,
      long parityBytes,
      long storedBytes,
      SortedMap<String, Long> readByRack,
      long readAcrossRacksBytes,
      int crowded,
      int relocated) {}

  void ear(Ear encoded) {
    ear = encoded;
  }

  void stock(StockStripes stripes) {
    stock = stripes;
  }

  void outage(Outage.Result result) {
    outages.add(result);
  }

  /** Blocks that DataNodes read from other racks, when they had to decode. */
  long readsAcrossRacksToDecode() {
    return outages.stream().mapToLong(Outage.Result::readsAcrossRacks).sum();
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static String per(long bytes, long dataBytes) {
    return text("%.3f", (double) bytes / dataBytes);
  }

  String text() {
    String head =
        text(
            "%s, c=%d, 9 racks x 2 DataNodes: %d files of 3 owners, %d blocks, %d bytes%n",
            rules.code().name(), rules.rackLimit(), ear.files(), ear.blocks(), ear.dataBytes());
    return head
        + encodingTable().text()
        + text("bytes read to encode, by source rack: %s%n", ear.readByRack())
        + outageTable().text();
  }

  private TextTable encodingTable() {
    double limit = (double) rules.code().blocks() / rules.code().dataBlocks();
    return new TextTable(
        List.of("", "EAR", "stock, any node"),
        List.of(
            List.of("stripes", "" + ear.stripes(), "" + stock.stripes()),
            List.of(
                "bytes read across racks, per byte of data",
                per(ear.readAcrossRacksBytes(), ear.dataBytes()),
                per(stock.readAcrossRacksBytes(), stock.dataBytes())),
            List.of("stripes beyond c unless moved", "" + ear.crowded(), "" + stock.violations()),
            List.of("blocks relocated", "" + ear.relocated(), "" + stock.relocations()),
            List.of(
                "parity bytes written, per byte of data",
                per(ear.parityBytes(), ear.dataBytes()),
                per(stock.parityBytes(), stock.dataBytes())),
            List.of("stored before, per byte of data", "3.000", "3.000"),
            List.of(
                text("stored after (n/k = %.3f)", limit),
                per(ear.storedBytes(), ear.dataBytes()),
                per(stock.dataBytes() + stock.parityBytes(), stock.dataBytes()))));
  }

  private TextTable outageTable() {
    List<List<String>> rows = new ArrayList<>();
    for (Outage.Result one : outages) {
      rows.add(
          List.of(
              one.what(),
              "" + one.missingBlocks(),
              "" + one.readBytes(),
              text("%.1f", one.readSec()),
              text("%.1f", one.readKnownSec()),
              text("%.1f", one.repairSec()),
              "" + one.repairsRepeated(),
              "" + one.readsAcrossRacks(),
              "" + one.moves()));
    }
    return new TextTable(
        List.of(
            "stopped",
            "missing",
            "bytes read back",
            "s unknown",
            "s known",
            "repair s",
            "repeated",
            "decoding reads across racks",
            "moves when back"),
        rows);
  }
}
