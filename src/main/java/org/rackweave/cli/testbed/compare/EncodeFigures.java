package org.rackweave.cli.testbed.compare;

import java.util.List;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.cli.experiment.Statistics;

/** The figures of an encoding. */
final class EncodeFigures {

  private static final double TAIL = 0.9;

  static final Figure<EncodeRun> RATE =
      Figure.number(
          "encode_mb_per_s", "encoded, MB/s", run -> run.dataBytes() / 1e6 / run.seconds());
  static final Figure<EncodeRun> SECONDS_PER_MB =
      Figure.number(
          "encode_s_per_mb", "encoding, s/MB", run -> run.seconds() / (run.dataBytes() / 1e6));
  static final Figure<EncodeRun> CROSS_RACK =
      Figure.number(
          "cross_rack_bytes_per_byte",
          "bytes between racks, a byte of data",
          run -> run.crossRackBytes() / (double) run.dataBytes());
  static final Figure<EncodeRun> RELOCATIONS =
      Figure.number(
          "relocations_per_stripe", "blocks to be moved, a stripe", EncodeRun::relocations);
  static final Figure<EncodeRun> DURING =
      Figure.seconds(
          "write_mean_during_s",
          "other writes meanwhile, mean",
          run -> Statistics.mean(run.during()));

  /** All, in the order in which they are shown. */
  static final List<Figure<EncodeRun>> ALL =
      List.of(
          RATE,
          Figure.seconds("encode_s", "from the first byte to the last", EncodeRun::seconds),
          Figure.count("data_mib", "data, MiB", run -> run.dataBytes() / (double) (1 << 20)),
          CROSS_RACK,
          RELOCATIONS,
          Figure.seconds(
              "write_mean_before_s",
              "other writes before, mean",
              run -> Statistics.mean(run.before())),
          DURING,
          Figure.seconds(
              "write_p90_during_s",
              "other writes meanwhile, p90",
              run -> Statistics.quantile(run.during(), TAIL)),
          Figure.count("writes_during", "other writes meanwhile", run -> run.during().length));

  /** Shown of every run. */
  static final List<Figure<EncodeRun>> OF_EVERY_RUN =
      List.of(RATE, CROSS_RACK, RELOCATIONS, DURING);

  private EncodeFigures() {}
}
