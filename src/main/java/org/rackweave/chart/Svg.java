package org.rackweave.chart;

import java.util.Locale;

/** Writes one SVG picture. Coordinates are CSS pixels; everything textual is escaped here. */
public final class Svg {

  private static final double READABLE_WIDTH = 620;

  private final StringBuilder out = new StringBuilder();

  /**
   * Begins a picture that shrinks with the page, as far as its text stays readable, but never grows
   * beyond its size.
   *
   * @param label what the picture shows, for those who cannot see it
   */
  public Svg(double width, double height, String label) {
    out.append("<svg viewBox=\"0 0 ").append(number(width)).append(' ').append(number(height));
    out.append("\" style=\"max-width:").append(number(width)).append("px;min-width:");
    out.append(number(Math.min(width, READABLE_WIDTH))).append("px\" role=\"img\"");
    attribute("aria-label", label);
    out.append(">\n");
  }

  /** Makes text safe inside an element or an attribute. */
  public static String escape(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> safe.append("&amp;");
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '"' -> safe.append("&quot;");
        case '\'' -> safe.append("&#39;");
        default -> safe.append(isAllowed(c) ? c : '\uFFFD');
      }
    }
    return safe.toString();
  }

  private static boolean isAllowed(char c) {
    return c >= ' ' || c == '\n' || c == '\t';
  }

  /** A filled box; {@code title} shows when the pointer rests on it, null for none. */
  public Svg box(Box box, String style, double opacity, String title) {
    out.append("<rect class=\"").append(escape(style)).append('"');
    attribute("x", box.x());
    attribute("y", box.y());
    attribute("width", box.width());
    attribute("height", box.height());
    if (opacity < 1) {
      attribute("fill-opacity", opacity);
    }
    if (title == null) {
      out.append("/>\n");
    } else {
      out.append("><title>").append(escape(title)).append("</title></rect>\n");
    }
    return this;
  }

  /** A straight line. */
  public Svg line(double x1, double y1, double x2, double y2, String style) {
    out.append("<line class=\"").append(escape(style)).append('"');
    attribute("x1", x1);
    attribute("y1", y1);
    attribute("x2", x2);
    attribute("y2", y2);
    out.append("/>\n");
    return this;
  }

  /** A line through points, {@code xy} holding x and y in turn. */
  public Svg polyline(double[] xy, String style) {
    out.append("<polyline class=\"").append(escape(style)).append("\" points=\"");
    for (int i = 0; i + 1 < xy.length; i += 2) {
      out.append(number(xy[i])).append(',').append(number(xy[i + 1])).append(' ');
    }
    out.append("\"/>\n");
    return this;
  }

  /**
   * Text on one line.
   *
   * @param anchor which part of the text is at {@code x}
   */
  public Svg text(double x, double y, Anchor anchor, String style, String text) {
    out.append("<text class=\"").append(escape(style)).append('"');
    attribute("x", x);
    attribute("y", y);
    attribute("text-anchor", anchor.name().toLowerCase(Locale.ROOT));
    out.append('>').append(escape(text)).append("</text>\n");
    return this;
  }

  /** The finished picture. */
  public String end() {
    return out + "</svg>\n";
  }

  private void attribute(String name, double value) {
    attribute(name, number(value));
  }

  private void attribute(String name, String value) {
    out.append(' ').append(name).append("=\"").append(escape(value)).append('"');
  }

  /** Two decimals at most: more is only bytes. */
  static String number(double value) {
    if (!Double.isFinite(value)) {
      return "0";
    }
    String text = String.format(Locale.ROOT, "%.2f", value);
    int end = text.length();
    while (text.charAt(end - 1) == '0') {
      end--;
    }
    if (text.charAt(end - 1) == '.') {
      end--;
    }
    return text.substring(0, end);
  }

  /** A place on the picture. */
  public record Box(double x, double y, double width, double height) {}

  /** Which part of a text its position names. */
  public enum Anchor {
    START,
    MIDDLE,
    END
  }
}
