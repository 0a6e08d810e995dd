package org.rackweave.cli.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rackweave.cli.UsageException;

class TestbedOptionsTest {

  private static TestbedOptions up(String... args) {
    return TestbedOptions.up(List.of(args));
  }

  @Test
  void isSixRacksOfTwoWithStockPlacementWhenNothingIsAsked() {
    assertEquals(new TestbedOptions(TestbedSpec.DEFAULT, false, false), up());
    assertEquals(
        new TestbedSpec("rw", 6, 2, 100, 200, 2048, "", TestbedPolicy.STOCK, Map.of()),
        TestbedSpec.DEFAULT);
  }

  @Test
  void takesEveryOption() {
    TestbedSpec spec =
        up(
                "--prefix",
                "lab2",
                "--racks",
                "3",
                "--hosts-per-rack",
                "4",
                "--uplink",
                "50",
                "--nic",
                "80",
                "--capacity",
                "512",
                "--congestion",
                "reno",
                "--policy",
                "sinbad")
            .spec();
    assertEquals(
        new TestbedSpec("lab2", 3, 4, 50, 80, 512, "reno", TestbedPolicy.SINBAD, Map.of()), spec);
    assertTrue(up("--racks", "3", "--help").help());
    assertTrue(TestbedOptions.status(List.of("--json")).json());
    assertEquals("b", TestbedOptions.down(List.of("--prefix", "b")).spec().prefix());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "--racks 0          ~ --racks is '0'            ~ from 1 to 24",
        "--racks 25         ~ --racks is '25'           ~ from 1 to 24",
        "--racks six        ~ --racks is 'six'          ~ whole numbers from 1 to 24",
        "--hosts-per-rack 0 ~ --hosts-per-rack is '0'   ~ from 1 to 20",
        "--uplink 0         ~ --uplink is '0'           ~ from 1 to 10000",
        "--nic 10001        ~ --nic is '10001'          ~ from 1 to 10000",
        "--nic 99999999999999999999 ~ --nic is '99999999999999999999' ~ from 1 to 10000",
        "--capacity 63      ~ --capacity is '63'        ~ from 64 to 65536",
        "--prefix Lab       ~ --prefix is 'Lab'         ~ lower-case",
        "--prefix ninechars ~ --prefix is 'ninechars'   ~ 1 to 8",
        "--prefix a-b       ~ --prefix is 'a-b'         ~ letters and digits",
        "--policy fast      ~ --policy is 'fast'        ~ allowed are stock, rackweave",
        "--congestion b;r   ~ --congestion is 'b;r'     ~ such as bbr",
        "--racks            ~ --racks needs a value     ~ value",
        "--prefix --racks   ~ --prefix needs a value    ~ value",
        "--rack 3           ~ no option '--rack'        ~ --racks",
        "--json             ~ no option '--json'        ~ --policy",
      })
  void namesOptionValueAndWhatIsAllowed(String args, String what, String allowed) {
    UsageException refused = assertThrows(UsageException.class, () -> up(args.split(" ")));
    assertTrue(refused.getMessage().contains(what), refused.getMessage());
    assertTrue(refused.getMessage().contains(allowed), refused.getMessage());
  }

  @Test
  void downAndStatusDoNotBuildAndTakeNoSizes() {
    assertThrows(UsageException.class, () -> TestbedOptions.down(List.of("--racks", "2")));
    assertThrows(UsageException.class, () -> TestbedOptions.status(List.of("--policy", "stock")));
    assertFalse(TestbedOptions.status(List.of()).json());
  }

  @Test
  void aSpecificationMadeByAProgramIsCheckedToo() {
    UsageException refused =
        assertThrows(
            UsageException.class,
            () -> new TestbedSpec("a", 2, 0, 1, 1, 64, "", TestbedPolicy.STOCK, Map.of()));
    assertTrue(refused.getMessage().contains("hostsPerRack is '0'"), refused.getMessage());
  }
}
