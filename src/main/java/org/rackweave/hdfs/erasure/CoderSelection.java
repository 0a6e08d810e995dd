package org.rackweave.hdfs.erasure;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.hadoop.io.erasurecode.ErasureCodeNative;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.NativeRSRawDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.NativeRSRawEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.apache.hadoop.util.NativeCodeLoader;
import org.rackweave.erasure.JavaArithmetic;
import org.rackweave.erasure.MatrixCoder;
import org.rackweave.erasure.RecentlyUsed;
import org.rackweave.erasure.ReedSolomonCode;
import org.rackweave.erasure.StripeArithmetic;
import org.rackweave.erasure.StripeCoder;
import org.rackweave.hdfs.erasure.ErasureConfig.Coder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whose coders a process uses, decided once, told in one line of the log.
 *
 * <p>{@code auto} prefers libisal through JNA to Hadoop's native coder, which is the same library
 * but copies what lies on the heap into fresh direct buffers at every call.
 */
public final class CoderSelection {
  private static final Logger LOG = LoggerFactory.getLogger(CoderSelection.class);
  private static final int MAX_CODERS = 32;

  /** Where libisal is looked for. */
  interface IsalSource {
    StripeArithmetic load() throws IsalMissingException;
  }

  private final String description;

  /** Empty: Hadoop's own coders. */
  private final Optional<StripeArithmetic> arithmetic;

  private final Coder used;
  private final boolean hadoopNative;
  private final RecentlyUsed<ReedSolomonCode, StripeCoder> coders = new RecentlyUsed<>(MAX_CODERS);

  private CoderSelection(
      Coder used, String description, Optional<StripeArithmetic> arithmetic, boolean hadoopNative) {
    this.used = used;
    this.description = description;
    this.arithmetic = arithmetic;
    this.hadoopNative = hadoopNative;
  }

  /** Decides for a configuration. */
  public static CoderSelection of(ErasureConfig config) {
    CoderSelection selection =
        of(config, IsalArithmetic::load, CoderSelection::hadoopHasNativeCoder);
    String line = "Erasure coding by " + selection;
    if (config.coder() == Coder.ISAL && selection.used != Coder.ISAL) {
      LOG.warn(line);
    } else {
      LOG.info(line);
    }
    return selection;
  }

  static CoderSelection of(
      ErasureConfig config, IsalSource isal, BooleanSupplier hadoopHasNativeCoder) {
    return switch (config.coder()) {
      case JAVA -> java("as configured");
      case HADOOP -> hadoop(config.nativeAllowed() && hadoopHasNativeCoder.getAsBoolean());
      case ISAL -> isalOr(isal, CoderSelection::java);
      case AUTO ->
          config.nativeAllowed()
              ? isalOr(isal, why -> hadoopHasNativeCoder.getAsBoolean() ? hadoop(true) : java(why))
              : java("native code is not allowed");
    };
  }

  private static CoderSelection isalOr(
      IsalSource isal, Function<String, CoderSelection> otherwise) {
    try {
      return new CoderSelection(Coder.ISAL, "libisal through JNA", Optional.of(isal.load()), false);
    } catch (IsalMissingException e) {
      LOG.debug("libisal is missing", e);
      return otherwise.apply(e.getMessage());
    }
  }

  private static CoderSelection java(String why) {
    return new CoderSelection(
        Coder.JAVA,
        "Rackweave's Java coder (" + why + ")",
        Optional.of(new JavaArithmetic()),
        false);
  }

  private static CoderSelection hadoop(boolean isNative) {
    return new CoderSelection(
        Coder.HADOOP,
        isNative ? "Hadoop's native coder" : "Hadoop's Java coder",
        Optional.empty(),
        isNative);
  }

  /** Asks in an order that does not make Hadoop warn about what it was built without. */
  private static boolean hadoopHasNativeCoder() {
    return NativeCodeLoader.isNativeCodeLoaded()
        && NativeCodeLoader.buildSupportsIsal()
        && ErasureCodeNative.isNativeCodeLoaded();
  }

  /** Whose coders are used: {@link Coder#JAVA}, {@link Coder#ISAL} or {@link Coder#HADOOP}. */
  public Coder used() {
    return used;
  }

  /** The coder of a code, the same for all who ask. */
  public StripeCoder coder(ReedSolomonCode code) {
    return coders.get(code, () -> newCoder(code));
  }

  private StripeCoder newCoder(ReedSolomonCode code) {
    if (arithmetic.isPresent()) {
      return new MatrixCoder(code, arithmetic.get());
    }
    ErasureCoderOptions options = new ErasureCoderOptions(code.dataUnits(), code.parityUnits());
    return new HadoopCoder(code, encoder(options), decoder(options));
  }

  /** A coder as Hadoop's classes want it. */
  public RawErasureEncoder encoder(ErasureCoderOptions options) {
    if (arithmetic.isPresent()) {
      return new RackweaveRawEncoder(options, coder(code(options)), used == Coder.ISAL);
    }
    return hadoopNative ? new NativeRSRawEncoder(options) : new RSRawEncoder(options);
  }

  public RawErasureDecoder decoder(ErasureCoderOptions options) {
    if (arithmetic.isPresent()) {
      return new RackweaveRawDecoder(options, coder(code(options)), used == Coder.ISAL);
    }
    return hadoopNative ? new NativeRSRawDecoder(options) : new RSRawDecoder(options);
  }

  private static ReedSolomonCode code(ErasureCoderOptions options) {
    return new ReedSolomonCode(options.getNumDataUnits(), options.getNumParityUnits());
  }

  @Override
  public String toString() {
    return description;
  }
}
