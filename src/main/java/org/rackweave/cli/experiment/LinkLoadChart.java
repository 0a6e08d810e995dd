package org.rackweave.cli.experiment;

import java.util.ArrayList;
import java.util.List;
import org.rackweave.chart.HeatMap;

/**
 * Turns link windows into a chart with one row for each rack.
 *
 * @param racks racks of the cluster, with equally many DataNodes each, numbered rack by rack
 * @param nodesPerRack DataNodes in each rack
 * @param linkBytesPerSec what each DataNode can receive
 */
public record LinkLoadChart(int racks, int nodesPerRack, double linkBytesPerSec) {

  /** Windows that belong together, such as those of one round. */
  public record Part(String name, List<LinkWindow> windows) {}

  /** Draws the parts one after the other. */
  public HeatMap of(String label, List<Part> parts) {
    List<LinkWindow> windows = new ArrayList<>();
    List<HeatMap.Section> sections = new ArrayList<>();
    List<String> columns = new ArrayList<>();
    for (Part part : parts) {
      sections.add(new HeatMap.Section(part.name(), part.windows().size()));
      for (LinkWindow window : part.windows()) {
        windows.add(window);
        columns.add(part.name() + ", second " + (window.startMs() + 500) / 1000);
      }
    }
    List<String> rows = new ArrayList<>();
    double[][] load = new double[racks][windows.size()];
    boolean[][] hot = new boolean[racks][windows.size()];
    for (int rack = 0; rack < racks; rack++) {
      rows.add("rack " + (rack + 1));
      for (int column = 0; column < windows.size(); column++) {
        load[rack][column] = load(windows.get(column), rack);
        hot[rack][column] = windows.get(column).hotRacks().contains(rack);
      }
    }
    return new HeatMap(label, rows, load, hot, sections, columns);
  }

  private double load(LinkWindow window, int rack) {
    double received = 0;
    for (int i = 0; i < nodesPerRack; i++) {
      received += window.receivedBytesPerSec()[rack * nodesPerRack + i];
    }
    return received / nodesPerRack / linkBytesPerSec;
  }
}
