package org.rackweave.sim.claims;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rackweave.sim.claims.Claim.Verdict;
import org.rackweave.sim.statistics.Estimate;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.representer.Representer;

/**
 * A claim as data, from a file beside this class.
 *
 * @param id for programs, {@code <paper>-<what>}
 * @param section of the paper
 * @param about what is compared
 * @param headline whether the paper stands or falls with it
 * @param figure what is shown beside the paper's
 * @param asked what must hold for the claim to be met, all of it; with a bound alone it is of the
 *     claim's figure
 * @param details further figures
 */
record ClaimRule(
    String id,
    String section,
    String about,
    boolean headline,
    Figure figure,
    List<Figure> asked,
    List<Figure> details) {

  private static final int ALIASES_MAX = 1000;

  private static final JsonMapper RECORDS =
      JsonMapper.builder()
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
          .build();

  ClaimRule {
    details = Objects.requireNonNullElse(details, List.of());
  }

  /**
   * Reads the claims of a paper.
   *
   * @throws IllegalArgumentException if the file is not what it should be
   */
  static List<ClaimRule> of(String paper) {
    try (InputStream file = ClaimRule.class.getResourceAsStream(paper + ".yaml")) {
      // SnakeYAML itself, for Jackson's own reader knows no aliases.
      LoaderOptions options = new LoaderOptions();
      options.setMaxAliasesForCollections(ALIASES_MAX);
      DumperOptions none = new DumperOptions();
      Yaml yaml = new Yaml(new SafeConstructor(options), new Representer(none), none, options);
      Object rules = yaml.load(file);
      return List.of(RECORDS.convertValue(rules, ClaimRule[].class));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All claims of a paper, by what was seen. */
  static <R> List<Claim> judge(List<ClaimRule> rules, R seen, Metrics<R> metrics) {
    return rules.stream().map(rule -> rule.judge(seen, metrics)).toList();
  }

  private <R> Claim judge(R seen, Metrics<R> metrics) {
    Judgement judgement =
        judge(
            asked.stream()
                .map(one -> (one.isBoundOnly() ? figure : one).estimate(seen, metrics))
                .toList());
    return new Claim(
        id,
        String.format("%s (section %s); met with %s.", about, section, wanted()),
        headline,
        figure.unit(),
        figure.paper(seen, metrics),
        figure.estimate(seen, metrics),
        judgement.verdict,
        judgement.why,
        details.stream().flatMap(one -> one.details(seen, metrics)).toList());
  }

  /** What is asked, as people read it. */
  Stream<String> conditions() {
    return asked.stream().map(one -> name(one) + " " + one.bound());
  }

  private String name(Figure asked) {
    String what = asked.isBoundOnly() ? figure.what() : asked.what();
    return what.isEmpty() ? "the figure" : what;
  }

  private String wanted() {
    return conditions().distinct().collect(Collectors.joining(", and "));
  }

  /**
   * A verdict.
   *
   * @param why what does not hold; empty where all does
   */
  record Judgement(Verdict verdict, String why) {}

  /**
   * Judges: the worst verdict on anything that is asked is the claim's.
   *
   * @param seen of what is asked, in its order
   */
  Judgement judge(List<Estimate> seen) {
    Verdict worst = Verdict.MET;
    List<String> missed = new ArrayList<>();
    for (int i = 0; i < seen.size(); i++) {
      Bound bound = asked.get(i).bound();
      Verdict verdict = bound.of(seen.get(i));
      worst = verdict.compareTo(worst) > 0 ? verdict : worst;
      if (verdict != Verdict.MET) {
        String not = verdict == Verdict.NOT_MET ? "not" : "not for certain";
        missed.add(
            String.format(
                Locale.ROOT,
                "%s is %s and %s %s",
                name(asked.get(i)),
                seen.get(i).text(3),
                not,
                bound));
      }
    }
    return new Judgement(worst, String.join("; ", missed));
  }
}
