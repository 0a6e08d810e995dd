package org.rackweave.cli.testbed;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a testbed's directory says about it, from before the first command until it is gone.
 *
 * @param spec what was asked for, the congestion control filled in
 * @param addresses its addresses
 * @param hadoop version of Hadoop
 * @param startedMs when it was asked for, in milliseconds since 1970
 */
record SavedState(TestbedSpec spec, AddressBlock addresses, String hadoop, long startedMs) {

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Writes all of it or nothing. */
  void write(Path file) throws IOException {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("prefix", spec.prefix());
    root.put("racks", spec.racks());
    root.put("hosts_per_rack", spec.hostsPerRack());
    root.put("uplink_mbit_per_s", spec.uplinkMbitPerSec());
    root.put("nic_mbit_per_s", spec.nicMbitPerSec());
    root.put("capacity_mib", spec.capacityMib());
    root.put("congestion_control", spec.congestionControl());
    root.put("policy", spec.policy().label());
    spec.properties().forEach(root.putObject("properties")::put);
    root.put("address_block", addresses.number());
    root.put("hadoop", hadoop);
    root.put("started_ms", startedMs);
    Path written = file.resolveSibling("testbed.json.new");
    MAPPER.writeValue(written.toFile(), root);
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
  }

  static SavedState read(Path file) throws IOException {
    ObjectNode root = MAPPER.readValue(Files.readString(file), ObjectNode.class);
    Map<String, String> properties = new HashMap<>();
    root.get("properties")
        .fields()
        .forEachRemaining(entry -> properties.put(entry.getKey(), entry.getValue().asText()));
    TestbedSpec spec =
        new TestbedSpec(
            root.get("prefix").asText(),
            root.get("racks").asInt(),
            root.get("hosts_per_rack").asInt(),
            root.get("uplink_mbit_per_s").asInt(),
            root.get("nic_mbit_per_s").asInt(),
            root.get("capacity_mib").asInt(),
            root.get("congestion_control").asText(),
            TestbedPolicy.valueOf(root.get("policy").asText().toUpperCase(Locale.ROOT)),
            properties);
    return new SavedState(
        spec,
        new AddressBlock(root.get("address_block").asInt()),
        root.get("hadoop").asText(),
        root.get("started_ms").asLong());
  }
}
