package org.rackweave;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Too long for the default run; {@code .ci/nightly} runs it. So does {@code -DexcludedGroups=none}.
 */
@Tag("nightly")
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Nightly {
  /** Whether tests of the default run are to try all cases in place of one. */
  boolean IS_ON = Boolean.getBoolean("rackweave.test.nightly");
}
