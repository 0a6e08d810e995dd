package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import org.rackweave.chart.Page;
import org.rackweave.cli.TextTable;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.cli.experiment.Spread;

/**
 * What is compared, said once: who with whom, on what cluster, under what load, by which figures,
 * and what is shown of them. {@link ComparedRuns} carries it out, {@link Report} tells what came
 * out.
 *
 * @param <M> what is measured of a run
 */
interface Experiment<M> {
  /** What it is. */
  Definition<M> definition();

  /**
   * What an experiment is, as far as it is data.
   *
   * @param name its name for programs
   * @param title heading of its page
   * @param methods who can be compared with one another; the others are shown beside the first
   * @param expectedMs about how long a run takes
   * @param figures in the order in which they are shown
   * @param ofEveryRun those that are shown of every run
   * @param beside what is shown of everybody else beside the first
   */
  record Definition<M>(
      String name,
      String title,
      List<Method> methods,
      long expectedMs,
      List<Figure<M>> figures,
      List<Figure<M>> ofEveryRun,
      List<Beside<M>> beside) {}

  /** Which HDFS properties a testbed needs, beside those that it sets itself. */
  Map<String, String> settings(Method method, Tuning tuning) throws IOException;

  /** What is said of every run beside its seed and contender; empty for nothing. */
  default String variant() {
    return "";
  }

  /** Adds what figures mean nothing without; called once, on the first testbed. */
  default void addFacts(Map<String, String> facts, Session session) throws IOException {}

  /** Prepares for runs on a testbed. */
  Stage<M> open(Session session) throws IOException;

  /** The heading of the page. */
  default String title(Results<M> results) {
    return definition().title();
  }

  /** What its reader has to know first. */
  List<String> introduction(Results<M> results);

  /** Tables of its own. */
  default List<TextTable> tables(Results<M> results) {
    return List.of();
  }

  /** Adds figures of its own for programs. */
  default void addJson(ObjectNode root, Results<M> results) {}

  /** Adds charts. */
  default void addCharts(Page page, Results<M> results) {}

  /** Runs on one testbed, one after the other. */
  interface Stage<M> extends Closeable {
    Measured<M> run(Method method, long seed) throws IOException, InterruptedException;

    @Override
    default void close() throws IOException {}
  }

  /**
   * What came of a run.
   *
   * @param busyCpuShare what everybody used of all processors' time meanwhile, a fraction
   * @param foreignCpuShare what others used of it
   */
  record Measured<M>(M figures, double busyCpuShare, double foreignCpuShare) {}

  /**
   * A row that shows somebody beside the first.
   *
   * @param key name in JSON
   * @param of takes it from the runs of both
   * @param judged who has to reach something
   * @param wanted what that is, in words; empty for nothing
   * @param isReached whether a mean is enough
   */
  record Beside<M>(
      String key,
      String label,
      Function<Results.Pair<M>, Spread> of,
      Predicate<Contender> judged,
      String wanted,
      DoublePredicate isReached) {

    /** Something that nobody has to reach. */
    static <M> Beside<M> of(String key, String label, Function<Results.Pair<M>, Spread> of) {
      return new Beside<>(key, label, of, any -> false, "", any -> true);
    }

    /** How many times as fast as the first. */
    static <M> Beside<M> speedUp(String key, String label, Figure<M> figure) {
      return of(key, label, pair -> pair.speedUp(figure));
    }

    /** How much more than the first. */
    static <M> Beside<M> difference(String key, String label, Figure<M> figure) {
      return of(key, label, pair -> pair.difference(figure));
    }

    /** The same, of which a mean is wanted. */
    Beside<M> wants(Predicate<Contender> who, String what, DoublePredicate enough) {
      return new Beside<>(key, label, of, who, what, enough);
    }
  }
}
