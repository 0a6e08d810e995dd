package org.rackweave.cli.bench;

import static org.rackweave.cli.bench.BenchTable.column;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.rackweave.erasure.ReedSolomonCode;
import org.rackweave.hdfs.erasure.CoderSelection;
import org.rackweave.hdfs.erasure.ErasureConfig;
import org.rackweave.hdfs.erasure.ErasureConfig.Coder;

/** Parity of one stripe after the other, by Hadoop's Java coder and by ours, in turns. */
final class RsEncodeBench {
  private static final ReedSolomonCode CODE = ReedSolomonCode.named("rs-10-4");
  private static final int[] CELL_BYTES = {4 << 10, 64 << 10, 256 << 10, 1 << 20};

  /** So much is encoded between two looks at the clock. */
  private static final int PORTION_BYTES = 1 << 20;

  /**
   * How fast one coder encodes.
   *
   * @param schema name of the code, {@code rs-10-4}
   * @param cellBytes length of a unit
   * @param buffer {@code direct} or {@code heap}
   * @param coder {@code java} or {@code isal}
   * @param gbPerSec data encoded in a second of CPU time, in 10^9 bytes
   * @param hadoopGbPerSec the same by Hadoop's Java coder
   * @param ratio how many times faster than Hadoop's, the median over the turns
   */
  record Row(
      String schema,
      int cellBytes,
      String buffer,
      String coder,
      double gbPerSec,
      double hadoopGbPerSec,
      double ratio) {
    static final BenchTable<Row> TABLE =
        new BenchTable<>(
            List.of(
                column("schema", "%-8s", "schema", "\"%s\"", Row::schema),
                column("cell", "%8d", "cell", "%d", Row::cellBytes),
                column("buffer", "%7s", "buffer", "\"%s\"", Row::buffer),
                column("coder", "%6s", "coder", "\"%s\"", Row::coder),
                column("GB/s", "%8.2f", "gb_per_s", "%.3f", Row::gbPerSec),
                column("hadoop GB/s", "%12.3f", "hadoop_gb_per_s", "%.3f", Row::hadoopGbPerSec),
                column("ratio", "%7.1f", "ratio", "%.2f", Row::ratio)));
  }

  private final Stopwatch stopwatch;
  private final PrintStream out;

  RsEncodeBench(Stopwatch stopwatch, PrintStream out) {
    this.stopwatch = stopwatch;
    this.out = out;
  }

  void run(Consumer<Row> rows) throws Exception {
    for (Coder coder : new Coder[] {Coder.JAVA, Coder.ISAL}) {
      CoderSelection selection = CoderSelection.of(new ErasureConfig(coder, true));
      if (selection.used() != coder) {
        out.println("isal is not measured; there is only " + selection);
        continue;
      }
      for (int cellBytes : CELL_BYTES) {
        rows.accept(row(selection, cellBytes, "direct", ByteBuffer::allocateDirect));
        rows.accept(row(selection, cellBytes, "heap", ByteBuffer::allocate));
      }
    }
  }

  private Row row(
      CoderSelection selection, int cellBytes, String buffer, IntFunction<ByteBuffer> allocator)
      throws Exception {
    ErasureCoderOptions options = new ErasureCoderOptions(CODE.dataUnits(), CODE.parityUnits());
    Stripe hadoops = new Stripe(new RSRawEncoder(options), cellBytes, allocator);
    Stripe ours = new Stripe(selection.encoder(options), cellBytes, allocator);
    hadoops.run(1);
    ours.run(1);
    if (!Arrays.equals(hadoops.parity, ours.parity)) {
      throw new IllegalStateException(selection + " makes other parity than Hadoop's coder");
    }
    int dataBytes = CODE.dataUnits() * cellBytes;
    Stopwatch.Comparison compared =
        stopwatch.compare(hadoops, ours, Math.max(1, PORTION_BYTES / dataBytes));
    return new Row(
        CODE.name(),
        cellBytes,
        buffer,
        selection.used().name().toLowerCase(Locale.ROOT),
        dataBytes / compared.ours().nanos(),
        dataBytes / compared.stock().nanos(),
        1 / compared.ratio());
  }

  /** A stripe that is encoded again and again. */
  private static final class Stripe implements Stopwatch.Work {
    private final RawErasureEncoder encoder;
    private final ByteBuffer[] units = new ByteBuffer[CODE.dataUnits()];
    private final ByteBuffer[] parity = new ByteBuffer[CODE.parityUnits()];

    Stripe(RawErasureEncoder encoder, int cellBytes, IntFunction<ByteBuffer> allocator) {
      this.encoder = encoder;
      SplittableRandom random = new SplittableRandom(cellBytes);
      byte[] bytes = new byte[cellBytes];
      for (int i = 0; i < units.length; i++) {
        random.nextBytes(bytes);
        units[i] = allocator.apply(cellBytes).put(bytes);
      }
      Arrays.setAll(parity, i -> allocator.apply(cellBytes));
    }

    @Override
    public void run(int operations) throws IOException {
      for (int i = 0; i < operations; i++) {
        for (ByteBuffer unit : units) {
          unit.clear();
        }
        encoder.encode(units, parity);
      }
    }
  }
}
