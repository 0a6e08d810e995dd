package org.rackweave.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.rackweave.chart.GroupedBars.Series;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ChartTest {

  private static final String NASTY = "<b a=\"1\"> & 'x' \u0001";

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }

  private static int count(Document svg, String tag, String style) {
    NodeList all = svg.getElementsByTagName(tag);
    int found = 0;
    for (int i = 0; i < all.getLength(); i++) {
      found += ((Element) all.item(i)).getAttribute("class").equals(style) ? 1 : 0;
    }
    return found;
  }

  @Test
  void textCannotBreakOutOfAPicture() throws Exception {
    Svg svg = new Svg(10, 10, NASTY);
    svg.text(1, 1, Svg.Anchor.START, NASTY, NASTY);
    svg.box(new Svg.Box(0, 0, 1, 1), "heat", 1, NASTY);
    Document parsed = parse(svg.end());
    assertEquals(
        NASTY.replace('\u0001', '\uFFFD'),
        parsed.getElementsByTagName("text").item(0).getTextContent());
  }

  @Test
  void textCannotBreakOutOfAPage() {
    String html =
        new Page("<title>")
            .section("<h2>")
            .paragraph("<script>")
            .table(List.of("<a>"), List.of(List.of("<b>")))
            .html();
    assertTrue(html.contains("&lt;script&gt;") && html.contains("<td>&lt;b&gt;</td>"));
    assertFalse(html.contains("<script>"));
  }

  @Test
  void numbersAreShortAndAlwaysNumbers() {
    assertEquals("1.5", Svg.number(1.5));
    assertEquals("100", Svg.number(100));
    assertEquals("0.33", Svg.number(1 / 3.0));
    assertEquals("0", Svg.number(Double.NaN));
  }

  @Test
  void heatMapFramesNeighboursTogetherAndSectionsApart() throws Exception {
    HeatMap map =
        new HeatMap(
            "heat",
            List.of("r1", "r2"),
            new double[][] {{0, 0.5, 1, 2}, {Double.NaN, 0, 0, 0}},
            new boolean[][] {{true, true, true, false}, {false, false, false, true}},
            List.of(new HeatMap.Section("one", 2), new HeatMap.Section("two", 2)),
            List.of("a", "b", "c", "d"));
    Document svg = parse(map.svg());
    assertEquals(3, count(svg, "rect", "mark"));
    assertEquals(7, count(svg, "rect", "heat"));
  }

  @Test
  void chartsOfNothingAreStillPictures() throws Exception {
    Series nothing = new Series("stock", "stock", new double[0]);
    parse(
        new CumulativeChart(
                "c", "s", List.of(nothing), CumulativeChart.rangeOf(List.of(new double[0])), 300)
            .svg());
    parse(new GroupedBars("b", "MiB", List.of(), List.of(nothing)).svg());
    parse(
        new HeatMap("h", List.of(), new double[0][], new boolean[0][], List.of(), List.of()).svg());
  }

  @Test
  void barsStandOnTheAxis() throws Exception {
    Series one = new Series("stock", "stock", new double[] {10, 0});
    Document svg = parse(new GroupedBars("b", "MiB", List.of("x", "y"), List.of(one)).svg());
    assertEquals(2 + 1, count(svg, "rect", "fill-stock"), "two bars and the key");
  }

  @Test
  void linesOfOneNameShareTheirEntryInTheLegend() throws Exception {
    double[] times = {0, 5, 10};
    TimeChart.Line one = new TimeChart.Line("stock", "stock", times, new double[] {60, 60, 0});
    TimeChart.Line two = new TimeChart.Line("stock", "stock", times, new double[] {60, 20, 0});
    Document svg = parse(new TimeChart("t", "blocks", "s", List.of(one, two)).svg());
    assertEquals(2, count(svg, "polyline", "line stroke-stock"));
    assertEquals(1, count(svg, "rect", "fill-stock"));
    parse(new TimeChart("nothing", "blocks", "s", List.of()).svg());
  }

  @Test
  void linearScaleEndsAtARoundNumber() {
    Scale scale = Scale.linear(47, 100, 0);
    assertEquals(List.of(0.0, 10.0, 20.0, 30.0, 40.0, 50.0), scale.ticks());
    assertEquals(100, scale.at(0));
    assertEquals(0, scale.at(50));
    assertEquals(0, scale.at(70), "outside is drawn at the end");
  }

  @Test
  void logarithmicScaleRunsFromTickToTick() {
    Scale scale = Scale.logarithmic(0.008, 2.8, 0, 100);
    assertEquals(0.005, scale.low(), 1e-12);
    assertEquals(5, scale.high(), 1e-12);
    assertEquals(
        List.of("0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1", "2", "5"),
        scale.ticks().stream().map(Scale::label).toList());
    assertEquals(50, scale.at(Math.sqrt(0.025)), 1e-9);
    assertEquals(10, Scale.logarithmic(1, 7, 0, 1).high(), 1e-12);
  }
}
