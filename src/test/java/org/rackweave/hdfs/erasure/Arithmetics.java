package org.rackweave.hdfs.erasure;

import org.junit.jupiter.api.Assumptions;
import org.rackweave.erasure.JavaArithmetic;
import org.rackweave.erasure.StripeArithmetic;

/** What tests code with. */
enum Arithmetics {
  JAVA {
    @Override
    StripeArithmetic get() {
      return new JavaArithmetic();
    }
  },
  ISAL {
    @Override
    StripeArithmetic get() {
      try {
        return IsalArithmetic.load();
      } catch (IsalMissingException e) {
        return Assumptions.abort("not tested, " + e.getMessage());
      }
    }
  };

  /** Skips the test where the arithmetic is not installed, saying why. */
  abstract StripeArithmetic get();
}
