package org.rackweave.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.dayu.StockReason;
import org.rackweave.health.HealthChecks;
import org.rackweave.placement.FallbackReason;

/** README and docs: links lead somewhere, tables render, and lists are those of the code. */
public class PagesTest {
  private static final int COLUMNS = 120;
  private static final Pattern LINK = Pattern.compile("\\[[^]]*]\\(([^)\\s]+)\\)");
  private static final Pattern CODE_SPAN = Pattern.compile("`([^`]+)`");

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> top = Files.list(Path.of(""));
        Stream<Path> docs = Files.walk(Path.of("docs"))) {
      Stream.concat(Stream.concat(top, docs), Stream.of(Path.of("docker/README.md")))
          .filter(page -> page.toString().endsWith(".md"))
          .forEach(pages::add);
    }
    assertTrue(pages.size() > 15, "all were found");
    return pages;
  }

  private static Set<String> anchors(Path page) throws IOException {
    return prose(page).stream()
        .filter(line -> line.matches("#+ .*"))
        .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
        .map(title -> title.replaceAll("[^a-z0-9 _-]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  /** A page without its blocks of code. */
  private static List<String> prose(Path page) throws IOException {
    List<String> lines = new ArrayList<>();
    boolean isCode = false;
    for (String line : Files.readAllLines(page)) {
      boolean isFence = line.strip().startsWith("```");
      if (!isFence && !isCode) {
        lines.add(line);
      }
      isCode ^= isFence;
    }
    return lines;
  }

  @Test
  void linksLeadSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      for (MatchResult link : LINK.matcher(String.join("\n", prose(page))).results().toList()) {
        String[] target = link.group(1).split("#", 2);
        if (target[0].matches("https?:.*")) {
          continue;
        }
        Path file = target[0].isEmpty() ? page : page.resolveSibling(target[0]).normalize();
        if (!Files.exists(file) || target.length > 1 && !anchors(file).contains(target[1])) {
          broken.add(page + ": " + link.group(1));
        }
      }
    }
    assertEquals(List.of(), broken);
  }

  @Test
  void tablesHaveAsManyCellsInEveryRow() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      long cells = 0;
      String before = "";
      for (String line : prose(page)) {
        boolean isRow = line.startsWith("|");
        if (isRow && !before.startsWith("|")) {
          cells = cells(line);
          if (!before.isBlank() && !before.startsWith("<!--")) {
            broken.add(page + ", no blank line before: " + line);
          }
        } else if (isRow && cells(line) != cells
            || isRow
                && before.startsWith("|")
                && line.matches("\\|[-|]+")
                && !line.contains("---")) {
          broken.add(page + ": " + line);
        }
        before = line;
      }
    }
    assertEquals(List.of(), broken);
  }

  private static long cells(String row) {
    return row.replace("\\|", "").chars().filter(letter -> letter == '|').count();
  }

  @Test
  void linesFitBesideCode() throws IOException {
    List<String> longer = new ArrayList<>();
    for (Path page : pages()) {
      for (String line : Files.readAllLines(page)) {
        if (line.length() > COLUMNS && !line.startsWith("|")) {
          longer.add(page + ": " + line);
        }
      }
    }
    assertEquals(List.of(), longer);
  }

  @Test
  void readmeListsEveryRoom() throws IOException {
    Set<String> rooms = new TreeSet<>();
    try (Stream<Path> packages = Files.list(Path.of("src/main/java/org/rackweave"))) {
      packages
          .filter(Files::isDirectory)
          .forEach(one -> rooms.add("org.rackweave." + one.getFileName()));
    }
    rooms.add("org.apache.hadoop");
    assertEquals(rooms, firstCells(Path.of("README.md"), "## Source code"));
  }

  @Test
  void runbookListsEveryFindingOfHealth() throws IOException {
    assertEquals(
        new TreeSet<>(HealthChecks.CODES),
        firstCells(Path.of("docs/runbook.md"), "## Findings of health"));
  }

  @Test
  void referenceListsEveryReasonOfAFallback() throws IOException {
    assertEquals(
        Stream.of(FallbackReason.values())
            .map(FallbackReason::label)
            .collect(Collectors.toCollection(TreeSet::new)),
        firstCells(Path.of("docs/reference.md"), "## Fallback reasons"));
  }

  @Test
  void pageOnRecoveryListsEveryReasonOfStock() throws IOException {
    Set<String> listed = firstCells(Path.of("docs/recovery.md"), "## Inspect and control");
    for (StockReason reason : StockReason.values()) {
      assertTrue(listed.contains(reason.label()), reason.label());
    }
  }

  /** What is in backquotes in the first cells of the tables of a section. */
  public static Set<String> firstCells(Path page, String section) throws IOException {
    List<String> lines = prose(page);
    int from = lines.indexOf(section);
    assertTrue(from >= 0, section);
    Set<String> cells = new TreeSet<>();
    for (String line : lines.subList(from + 1, lines.size())) {
      if (line.matches("#{1," + section.indexOf(' ') + "} .*")) {
        break;
      }
      if (line.startsWith("| `")) {
        CODE_SPAN
            .matcher(line.substring(0, line.indexOf(" | ")))
            .results()
            .forEach(span -> cells.add(span.group(1)));
      }
    }
    return cells;
  }
}
