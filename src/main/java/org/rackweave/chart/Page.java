package org.rackweave.chart;

import java.util.List;

/** One HTML page that needs nothing beside itself: headings, paragraphs, tables and charts. */
public final class Page {

  private static final String STYLE =
      """
      :root { color-scheme: light dark; --paper: #fcfcfa; --ink: #1d2329; --soft: #5c6670;
        --rule: #dcdfe2; --ground: #eef0f1; --stock: #b4652a; --sinbad: #1f6fb2;
        --heat: #3a4a9f; --mark: #c8322b; --third: #3f8a4d; --fourth: #8a4fb0; --fifth: #b08a1e;
        --sixth: #5c6670; --seventh: #2b8f94; }
      @media (prefers-color-scheme: dark) { :root { --paper: #15181c; --ink: #e6e9ec;
        --soft: #9aa5b0; --rule: #333a42; --ground: #22272d; --stock: #e09a5c;
        --sinbad: #5fa8e6; --heat: #8f9df5; --mark: #ff7468; --third: #7cc98a;
        --fourth: #c394e6; --fifth: #e0c060; --sixth: #9aa5b0; --seventh: #6cc4c9; } }
      body { margin: 0 auto; max-width: 900px; padding: 32px 20px 64px; background: var(--paper);
        color: var(--ink); font: 16px/1.55 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
      h1 { font-size: 1.9rem; line-height: 1.25; margin: 0 0 .4em; }
      h2 { font-size: 1.2rem; margin: 2.2em 0 .3em; }
      h3 { font-size: 1rem; margin: 1.2em 0 .2em; }
      p { margin: .3em 0 .9em; max-width: 72ch; }
      .soft { color: var(--soft); }
      svg { display: block; width: 100%; height: auto; margin: .2em 0 .6em; }
      .row { display: flex; flex-wrap: wrap; gap: 0 18px; }
      .row > div { flex: 1 1 270px; }
      .wide { overflow-x: auto; }
      table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
      th, td { padding: 5px 10px; border-bottom: 1px solid var(--rule); text-align: right; }
      td:first-child { white-space: pre-wrap; }
      td + td { white-space: nowrap; }
      th { font-weight: 600; } th:first-child, td:first-child { text-align: left; }
      text { fill: var(--ink); font: 12px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
      .small { fill: var(--soft); }
      .axis { stroke: var(--soft); } .grid { stroke: var(--rule); }
      .line { fill: none; stroke-width: 2; }
      .heat-ground { fill: var(--ground); } .heat { fill: var(--heat); }
      .mark { fill: none; stroke: var(--mark); stroke-width: 1.6; }
      .fill-stock { fill: var(--stock); } .fill-sinbad { fill: var(--sinbad); }
      .stroke-stock { stroke: var(--stock); } .stroke-sinbad { stroke: var(--sinbad); }
      .fill-third { fill: var(--third); } .stroke-third { stroke: var(--third); }
      .fill-fourth { fill: var(--fourth); } .stroke-fourth { stroke: var(--fourth); }
      .fill-fifth { fill: var(--fifth); } .stroke-fifth { stroke: var(--fifth); }
      .fill-sixth { fill: var(--sixth); } .stroke-sixth { stroke: var(--sixth); }
      .fill-seventh { fill: var(--seventh); } .stroke-seventh { stroke: var(--seventh); }
      pre { font: 13px/1.45 ui-monospace, Menlo, Consolas, monospace; color: var(--soft); }
      .key { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 .8em;
        vertical-align: -.08em; }
      .key-heat { background: var(--heat); } .key-mark { border: 2px solid var(--mark); }
      """;

  private final StringBuilder body = new StringBuilder();
  private final String title;

  /** Begins a page with {@code title} as its name and first heading. */
  public Page(String title) {
    this.title = title;
    body.append("<h1>").append(Svg.escape(title)).append("</h1>\n");
  }

  /** Begins a section. */
  public Page section(String heading) {
    body.append("<h2>").append(Svg.escape(heading)).append("</h2>\n");
    return this;
  }

  /** Begins a part of a section. */
  public Page part(String heading) {
    body.append("<h3>").append(Svg.escape(heading)).append("</h3>\n");
    return this;
  }

  /** Adds a paragraph of plain text. */
  public Page paragraph(String text) {
    body.append("<p>").append(Svg.escape(text)).append("</p>\n");
    return this;
  }

  /** Adds text as it is, line by line, in letters of one width. */
  public Page text(String lines) {
    body.append("<div class=\"wide\"><pre>").append(Svg.escape(lines)).append("</pre></div>\n");
    return this;
  }

  /** Adds the key of {@link HeatMap} charts. */
  public Page heatKey(String full, String marked) {
    body.append("<p class=\"soft\"><span class=\"key key-heat\"></span>").append(Svg.escape(full));
    body.append("<span class=\"key key-mark\"></span>").append(Svg.escape(marked));
    body.append("</p>\n");
    return this;
  }

  /** Adds a picture; where it is too small to read, the reader scrolls along it. */
  public Page chart(String svg) {
    body.append("<div class=\"wide\">\n").append(svg).append("</div>\n");
    return this;
  }

  /** Adds pictures side by side, each under its heading. */
  public Page charts(List<String> headings, List<String> svgs) {
    body.append("<div class=\"row\">\n");
    for (int i = 0; i < svgs.size(); i++) {
      body.append("<div><h3>").append(Svg.escape(headings.get(i))).append("</h3>\n");
      body.append(svgs.get(i)).append("</div>\n");
    }
    body.append("</div>\n");
    return this;
  }

  /** Adds a table; the first column is text, the others are figures. */
  public Page table(List<String> head, List<List<String>> rows) {
    body.append("<div class=\"wide\"><table>\n");
    appendRow("th", head);
    rows.forEach(row -> appendRow("td", row));
    body.append("</table></div>\n");
    return this;
  }

  private void appendRow(String cell, List<String> row) {
    body.append("<tr>");
    for (String text : row) {
      body.append('<').append(cell).append('>').append(Svg.escape(text));
      body.append("</").append(cell).append('>');
    }
    body.append("</tr>\n");
  }

  /** The finished page. */
  public String html() {
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        + "<title>"
        + Svg.escape(title)
        + "</title>\n<style>\n"
        + STYLE
        + "</style>\n</head>\n<body>\n"
        + body
        + "</body>\n</html>\n";
  }
}
