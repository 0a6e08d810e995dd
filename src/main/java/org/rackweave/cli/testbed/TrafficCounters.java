package org.rackweave.cli.testbed;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the shapers. They count what they have let through, headers of every packet included; an
 * interface counts a large packet that is cut up later as one and comes out a few percent short.
 */
final class TrafficCounters {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private TrafficCounters() {}

  /** Asks the kernel. */
  static Counters read(Layout layout) throws IOException {
    StringBuilder script = new StringBuilder();
    script.append(question(NetworkPlan.fabric(layout.prefix())));
    layout.dataNodes().forEach(host -> script.append(question(host.namespace())));
    // One shell for all, as starting a process from here costs more than what it does.
    String answers = Shell.run(List.of("sh", "-e"), script.toString());
    return parse(layout, answers, System.nanoTime());
  }

  private static String question(String namespace) {
    return "tc -n " + namespace + " -s -j qdisc show\n";
  }

  /**
   * Makes sense of what {@code tc} answers.
   *
   * @param answers one JSON array for the fabric, then one for each DataNode's host, in order
   */
  static Counters parse(Layout layout, String answers, long atNanos) throws IOException {
    try (JsonParser arrays = MAPPER.getFactory().createParser(answers)) {
      Map<String, Long> fabric = sentBytes(arrays);
      Map<String, LinkBytes> nics = new HashMap<>();
      for (Host host : layout.dataNodes()) {
        long sent = get(sentBytes(arrays), "eth0");
        nics.put(host.name(), new LinkBytes(get(fabric, host.name()), sent));
      }
      Map<Integer, LinkBytes> uplinks = new HashMap<>();
      for (Rack rack : layout.racks()) {
        long in = get(fabric, NetworkPlan.uplinkIn(rack.number()));
        long out = get(fabric, NetworkPlan.uplinkOut(rack.number()));
        uplinks.put(rack.number(), new LinkBytes(in, out));
      }
      return new Counters(atNanos, nics, uplinks);
    }
  }

  private static Map<String, Long> sentBytes(JsonParser arrays) throws IOException {
    Map<String, Long> bytes = new HashMap<>();
    for (JsonNode discipline : MAPPER.<JsonNode>readTree(arrays)) {
      if (discipline.path("kind").asText().equals("tbf")) {
        bytes.put(discipline.path("dev").asText(), discipline.path("bytes").asLong());
      }
    }
    return bytes;
  }

  private static long get(Map<String, Long> bytes, String device) throws IOException {
    Long sent = bytes.get(device);
    if (sent == null) {
      throw new IOException("nothing shapes interface " + device + " any more");
    }
    return sent;
  }
}
