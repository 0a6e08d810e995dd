package org.rackweave.cli;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Bounds an option of type {@code int}: {@link ToolCommand} shows them, and refuses others. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.PARAMETER})
public @interface WholeNumber {
  /** The least that is allowed. */
  int min() default 1;

  /** The most that is allowed. */
  int max();
}
