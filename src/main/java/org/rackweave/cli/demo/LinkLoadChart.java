package org.rackweave.cli.demo;

import java.util.ArrayList;
import java.util.List;
import org.rackweave.chart.HeatMap;
import org.rackweave.cli.demo.cluster.LinkWindow;

/** Turns the link windows of one policy's rounds into a chart with one row for each rack. */
final class LinkLoadChart {

  private LinkLoadChart() {}

  static HeatMap of(DemoResult result, Placement policy) {
    DemoSettings settings = result.settings();
    List<LinkWindow> windows = new ArrayList<>();
    List<HeatMap.Section> sections = new ArrayList<>();
    List<String> columns = new ArrayList<>();
    for (RoundOutcome round : result.roundsOf(policy)) {
      String name = "round " + (round.pair() + 1);
      sections.add(new HeatMap.Section(name, round.windows().size()));
      for (LinkWindow window : round.windows()) {
        windows.add(window);
        columns.add(name + ", second " + (window.startMs() + 500) / 1000);
      }
    }
    List<String> rows = new ArrayList<>();
    double[][] load = new double[settings.racks()][windows.size()];
    boolean[][] hot = new boolean[settings.racks()][windows.size()];
    for (int rack = 0; rack < settings.racks(); rack++) {
      rows.add("rack " + (rack + 1));
      for (int column = 0; column < windows.size(); column++) {
        load[rack][column] = load(windows.get(column), rack, settings);
        hot[rack][column] = windows.get(column).hotRacks().contains(rack);
      }
    }
    String label = "Link load by rack and second with " + policy.label() + " placement";
    return new HeatMap(label, rows, load, hot, sections, columns);
  }

  private static double load(LinkWindow window, int rack, DemoSettings settings) {
    double received = 0;
    for (int i = 0; i < settings.nodesPerRack(); i++) {
      received += window.receivedBytesPerSec()[rack * settings.nodesPerRack() + i];
    }
    return received / settings.nodesPerRack() / settings.linkBytesPerSec();
  }
}
