package org.rackweave.history;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.rackweave.history.LinkHistory.Frame;
import org.rackweave.model.ClusterTopology;

/**
 * Frames of a {@link LinkHistory} side by side: of racks, or of DataNodes. Frames of one step, of
 * which there are several after a restart, are one; what the last of them knows counts. So many of
 * the latest frames that there are about {@value #CELLS_MAX} shares each way at most.
 *
 * @param names of racks or DataNodes
 * @param atMs when each step begins, in the order of the frames
 * @param rx what was received, in per cent or {@link LinkHistory#UNKNOWN}, by step and then by name
 * @param tx what was sent
 */
public record LinkTable(List<String> names, long[] atMs, byte[] rx, byte[] tx) {
  static final int CELLS_MAX = 1 << 20;

  /** What is wanted of a frame. */
  private record Row(long atMs, List<String> names, byte[] rx, byte[] tx) {}

  /** Of racks. */
  public static LinkTable ofRacks(List<Frame> frames) {
    return of(frames.stream().map(LinkTable::racks).toList());
  }

  /** Of the DataNodes of one rack. */
  public static LinkTable ofDataNodes(List<Frame> frames, String rack) {
    return of(frames.stream().map(frame -> dataNodes(frame, rack)).toList());
  }

  private static Row racks(Frame frame) {
    ClusterTopology topology = frame.topology();
    List<String> names =
        IntStream.range(0, topology.rackCount()).mapToObj(topology::rackPath).toList();
    return new Row(frame.atMs(), names, frame.rackRx(), frame.rackTx());
  }

  private static Row dataNodes(Frame frame, String rack) {
    ClusterTopology topology = frame.topology();
    int number = topology.rackAt(rack);
    boolean isThere = number != ClusterTopology.NONE;
    int first = isThere ? topology.firstNode(number) : 0;
    int end = isThere ? topology.firstNode(number + 1) : 0;
    List<String> names = IntStream.range(first, end).mapToObj(topology::nodeName).toList();
    return new Row(
        frame.atMs(),
        names,
        Arrays.copyOfRange(frame.hostRx(), first, end),
        Arrays.copyOfRange(frame.hostTx(), first, end));
  }

  private static LinkTable of(List<Row> all) {
    int widest = all.stream().mapToInt(row -> row.names().size()).max().orElse(0);
    int most = Math.max(1, CELLS_MAX / Math.max(1, widest));
    List<Row> rows = all.subList(Math.max(0, all.size() - most), all.size());
    Map<String, Integer> columns = new LinkedHashMap<>();
    Map<Long, Integer> steps = new LinkedHashMap<>();
    for (Row row : rows) {
      steps.putIfAbsent(row.atMs(), steps.size());
      row.names().forEach(name -> columns.putIfAbsent(name, columns.size()));
    }
    byte[] rx = new byte[steps.size() * columns.size()];
    byte[] tx = new byte[rx.length];
    Arrays.fill(rx, LinkHistory.UNKNOWN);
    Arrays.fill(tx, LinkHistory.UNKNOWN);
    for (Row row : rows) {
      for (int i = 0; i < row.names().size(); i++) {
        int cell = steps.get(row.atMs()) * columns.size() + columns.get(row.names().get(i));
        rx[cell] = row.rx()[i] == LinkHistory.UNKNOWN ? rx[cell] : row.rx()[i];
        tx[cell] = row.tx()[i] == LinkHistory.UNKNOWN ? tx[cell] : row.tx()[i];
      }
    }
    return new LinkTable(
        List.copyOf(columns.keySet()),
        steps.keySet().stream().mapToLong(Long::longValue).toArray(),
        rx,
        tx);
  }
}
