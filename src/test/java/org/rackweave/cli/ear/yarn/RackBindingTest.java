package org.rackweave.cli.ear.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RackBindingTest {
  @ParameterizedTest
  @ValueSource(strings = {"/r0", "/default-rack", "/row1.rack7"})
  void bindsToRacksOfOneLevel(String rack) {
    assertTrue(RackBinding.whyNot(rack).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "r0", "/dc/r0", "/dc/row/r0", "/r0/", "/r0,r1", "/r 0"})
  void saysOfOtherRacksWhatIsAllowed(String rack) {
    String why = RackBinding.whyNot(rack).orElseThrow();
    assertTrue(why.contains("'" + rack + "'") && why.contains("one level"), why);
    assertThrows(
        IllegalArgumentException.class, () -> RackBinding.bind(new Configuration(false), rack));
  }

  @Test
  void liftsTheLimitsBeyondWhichAJobRunsAnywhere() {
    Configuration job = new Configuration(false);
    job.setInt("yarn.app.mapreduce.am.resource.mb", 700);
    job.setInt("mapreduce.map.memory.mb", 4096);
    job.setInt("mapreduce.map.cpu.vcores", 8);
    job.setInt("mapreduce.job.ubertask.maxmaps", 0);
    job.setLong("mapreduce.job.ubertask.maxbytes", 1);
    RackBinding.bind(job, "/r7");
    assertEquals("/r7", job.get("mapreduce.job.am.strict-locality"));
    assertEquals("yarn", job.get("mapreduce.framework.name"));
    assertTrue(job.getBoolean("mapreduce.job.ubertask.enable", false));
    assertEquals(1, job.getInt("mapreduce.job.ubertask.maxmaps", 0));
    assertEquals(Long.MAX_VALUE, job.getLong("mapreduce.job.ubertask.maxbytes", 0));
    assertEquals(700, job.getInt("mapreduce.map.memory.mb", 0));
    assertEquals(1, job.getInt("mapreduce.map.cpu.vcores", 0));
  }
}
