package org.rackweave.dayu;

import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How much of the idle bandwidth recovery may take, by the hour of the week. Where entries overlap
 * the least share counts; at other times it is all.
 *
 * @param entries as they were given
 */
public record RecoveryCalendar(List<Entry> entries) {
  /** Recovery may take all, always. */
  public static final RecoveryCalendar NONE = new RecoveryCalendar(List.of());

  private static final Pattern FORM =
      Pattern.compile("(?:([a-z,-]+) +)?([0-9:]+)-([0-9:]+)=([0-9.]+)%");
  private static final double LEAST_PERCENT = 5;
  private static final double MOST_PERCENT = 100;
  private static final int DAY_LETTERS = 3;
  private static final String ALLOWED =
      "': allowed is [DAYS] HH:MM-HH:MM=SHARE% with days such as mon-fri or sat,sun, every day if"
          + " there are none, and a share of 5% to 100%";

  /**
   * Some hours.
   *
   * @param days on which they begin
   * @param to when they end, on the next day when that is not later than {@code from}
   * @param share of the idle bandwidth, above 0 to 1
   * @param text all of it in words
   */
  public record Entry(
      Set<DayOfWeek> days, LocalTime from, LocalTime to, double share, String text) {

    boolean isAt(LocalDateTime when) {
      LocalTime time = when.toLocalTime();
      boolean hasBegun = !time.isBefore(from);
      if (from.isBefore(to)) {
        return days.contains(when.getDayOfWeek()) && hasBegun && time.isBefore(to);
      }
      return hasBegun
          ? days.contains(when.getDayOfWeek())
          : time.isBefore(to) && days.contains(when.getDayOfWeek().minus(1));
    }
  }

  /** The share of the idle bandwidth that recovery may take at a local time. */
  public double shareAt(LocalDateTime when) {
    return entries.stream()
        .filter(entry -> entry.isAt(when))
        .mapToDouble(Entry::share)
        .min()
        .orElse(1);
  }

  /** What {@link #parse} reads, entries separated by a semicolon. */
  @Override
  public String toString() {
    return entries.stream().map(Entry::text).collect(Collectors.joining("; "));
  }

  /**
   * Reads entries such as {@code mon-fri 08:00-20:00=25%}.
   *
   * @param text separated by semicolons; blank for none
   * @throws IllegalArgumentException naming the entry and what is allowed
   */
  public static RecoveryCalendar parse(String text) {
    List<Entry> entries = new ArrayList<>();
    for (String part : text.isBlank() ? new String[0] : text.split(";", -1)) {
      entries.add(entry(part.strip().toLowerCase(Locale.ROOT)));
    }
    return new RecoveryCalendar(List.copyOf(entries));
  }

  private static Entry entry(String text) {
    Matcher parts = FORM.matcher(text);
    if (parts.matches()) {
      try {
        LocalTime from = LocalTime.parse(parts.group(2));
        boolean isToMidnight = parts.group(3).equals("24:00");
        LocalTime to = isToMidnight ? LocalTime.MIDNIGHT : LocalTime.parse(parts.group(3));
        double percent = Double.parseDouble(parts.group(4));
        if ((isToMidnight || !from.equals(to))
            && percent >= LEAST_PERCENT
            && percent <= MOST_PERCENT) {
          return new Entry(days(parts.group(1)), from, to, percent / MOST_PERCENT, text);
        }
      } catch (DateTimeParseException | IllegalArgumentException e) {
        // Told below.
      }
    }
    throw new IllegalArgumentException("calendar '" + text + ALLOWED);
  }

  private static Set<DayOfWeek> days(String text) {
    if (text == null) {
      return EnumSet.allOf(DayOfWeek.class);
    }
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    for (String part : text.split(",", -1)) {
      String[] ends = part.split("-", 2);
      DayOfWeek last = day(ends[ends.length - 1]);
      DayOfWeek day = day(ends[0]);
      days.add(day);
      while (day != last) {
        day = day.plus(1);
        days.add(day);
      }
    }
    return days;
  }

  private static DayOfWeek day(String name) {
    for (DayOfWeek day : DayOfWeek.values()) {
      if (day.name().substring(0, DAY_LETTERS).equalsIgnoreCase(name)) {
        return day;
      }
    }
    throw new IllegalArgumentException(name);
  }
}
