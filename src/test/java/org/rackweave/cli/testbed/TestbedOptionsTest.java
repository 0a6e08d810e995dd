package org.rackweave.cli.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rackweave.cli.ToolCommand;
import org.rackweave.cli.UsageException;

class TestbedOptionsTest {

  private static TestbedSpec up(String... args) {
    TestbedOptions options = new TestbedOptions();
    ToolCommand.parser(options).parseArgs(args);
    return options.spec("rw");
  }

  @Test
  void isSixRacksOfTwoWithStockPlacementWhenNothingIsAsked() {
    assertEquals(TestbedSpec.DEFAULT, up());
    assertEquals(
        new TestbedSpec("rw", 6, 2, 100, 200, 2048, "", TestbedPolicy.STOCK, Map.of()),
        TestbedSpec.DEFAULT);
  }

  @Test
  void takesEveryOption() {
    String line =
        "--racks 3 --hosts-per-rack 4 --uplink 50 --nic 80 --capacity 512 --congestion reno"
            + " --policy sinbad";
    assertEquals(
        new TestbedSpec("rw", 3, 4, 50, 80, 512, "reno", TestbedPolicy.SINBAD, Map.of()),
        up(line.split(" ")));
    TestbedName name = new TestbedName();
    ToolCommand.parser(name).parseArgs("--prefix", "lab2");
    assertEquals("lab2", name.prefix());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "--racks 0          ~ '--racks': '0',           ~ from 1 to 24",
        "--racks 25         ~ '--racks': '25'           ~ from 1 to 24",
        "--racks six        ~ '--racks': 'six'          ~ whole numbers from 1 to 24",
        "--hosts-per-rack 0 ~ '--hosts-per-rack': '0'   ~ from 1 to 20",
        "--uplink 0         ~ '--uplink': '0'           ~ from 1 to 10000",
        "--nic 10001        ~ '--nic': '10001'          ~ from 1 to 10000",
        "--nic 99999999999999999999 ~ '--nic': '99999999999999999999' ~ from 1 to 10000",
        "--capacity 63      ~ '--capacity': '63'        ~ from 64 to 65536",
        "--policy fast      ~ '--policy': expected one of [STOCK, RACKWEAVE ~ was 'fast'",
        "--congestion b;r   ~ --congestion is 'b;r'     ~ such as bbr",
        "--racks            ~ parameter for option '--racks' ~ (1..24)",
        "--racks --nic      ~ parameter for option '--racks' ~ found '--nic'",
        "--rack 3           ~ '--rack'                  ~ Unknown option",
        "--json             ~ '--json'                  ~ Unknown option",
      })
  void namesOptionValueAndWhatIsAllowed(String args, String what, String allowed) {
    Exception refused = assertThrows(RuntimeException.class, () -> up(args.split(" ")));
    assertTrue(refused.getMessage().contains(what), refused.getMessage());
    assertTrue(refused.getMessage().contains(allowed), refused.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"Lab", "ninechars", "a-b", ""})
  void aNameIsWhatNamesOfInterfacesCanBeginWith(String prefix) {
    TestbedName name = new TestbedName();
    ToolCommand.parser(name).parseArgs("--prefix=" + prefix);
    UsageException refused = assertThrows(UsageException.class, name::prefix);
    assertEquals(
        "--prefix is '"
            + prefix
            + "', allowed are 1 to 8 lower-case letters and digits, a letter first",
        refused.getMessage());
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
