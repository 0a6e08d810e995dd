package org.rackweave.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.ipc.CallerContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LengthHintTest {
  @AfterEach
  void forget() {
    CallerContext.setCurrent(null);
  }

  @Test
  void readsTheFieldOfTheCallerContext() {
    CallerContext.setCurrent(
        new CallerContext.Builder("job-17").append(LengthHint.KEY, "1073741824").build());
    assertEquals(1073741824L, LengthHint.current());
  }

  @Test
  void knowsNoLengthWithoutTheField() {
    assertEquals(LengthHint.NONE, LengthHint.current());
    assertEquals(LengthHint.NONE, LengthHint.parse("job-17,other:5"));
  }

  @Test
  void ignoresWhatIsNoLength() {
    assertEquals(LengthHint.NONE, LengthHint.parse("rackweave.length:"));
    assertEquals(LengthHint.NONE, LengthHint.parse("rackweave.length:-5"));
    assertEquals(LengthHint.NONE, LengthHint.parse("rackweave.length:99999999999999999999999"));
  }

  @Test
  void stopsAtTheFirstCharacterThatIsNoDigit() {
    assertEquals(12, LengthHint.parse("a,rackweave.length:12,b:3"));
  }
}
